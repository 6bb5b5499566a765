// The shell's side of the bridge (docs/bridge.md): reads messages within its limits, and answers each request once and in order.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.Json;

namespace Vedette.Shell
{
    /// <summary>Thrown by a handler to refuse a request; `Fields` names what is wrong with which field.</summary>
    public sealed class BadPayload : Exception
    {
        public readonly Dictionary<string, string> Fields;

        public BadPayload(string field, string problem)
        {
            Fields = new Dictionary<string, string> { { field, problem } };
        }
    }

    public sealed class Bridge
    {
        private const int MessageBytes = 64 * 1024;
        private const int Depth = 8;
        private const int IdLength = 64;
        private const int Remembered = 10000;
        private const string FromPage = "/api/v1.0/cs/";
        private static readonly string[] PrototypeNames = { "__proto__", "constructor", "prototype" };

        private readonly Action<string> send;
        private readonly IReadOnlyDictionary<string, Func<JsonElement, object>> handlers;
        private readonly HashSet<string> heard = new HashSet<string>();
        private readonly Queue<string> heardOrder = new Queue<string>();
        /// <summary>The word of the launch: the page chooses it, and a new one is a new launch.</summary>
        private string nonce;

        /// <param name="send">One message as JSON, to the page.</param>
        public Bridge(Action<string> send, IReadOnlyDictionary<string, Func<JsonElement, object>> handlers)
        {
            this.send = send;
            this.handlers = handlers;
        }

        /// <summary>What is no message is ignored, without an answer. WebView2 calls it on one thread: the order is that of arrival.</summary>
        public void Receive(string json)
        {
            if (Encoding.UTF8.GetByteCount(json) > MessageBytes) return;
            try
            {
                using (var document = JsonDocument.Parse(json, new JsonDocumentOptions { MaxDepth = Depth }))
                {
                    if (IsPlain(document.RootElement)) Take(document.RootElement);
                }
            }
            catch (JsonException)
            {
                // No JSON, or too deep.
            }
        }

        /// <summary>Answers of the page to requests of this shell have no `url`; this example asks nothing.</summary>
        private void Take(JsonElement message)
        {
            string id = IdOf(message);
            string url = TextOf(message, "url");
            string word = TextOf(message, "nonce");
            if (id == null || url == null || word == null) return;
            if (word != nonce) BeginLaunch(word);
            if (!Remember(id)) return;
            JsonElement data;
            if (!message.TryGetProperty("data", out data)) data = default(JsonElement);
            Answer(message.GetProperty("id"), url, data);
        }

        private void BeginLaunch(string word)
        {
            nonce = word;
            heard.Clear();
            heardOrder.Clear();
        }

        private bool Remember(string id)
        {
            if (!heard.Add(id)) return false;
            heardOrder.Enqueue(id);
            if (heardOrder.Count > Remembered) heard.Remove(heardOrder.Dequeue());
            return true;
        }

        private void Answer(JsonElement id, string url, JsonElement data)
        {
            var topic = url.StartsWith(FromPage, StringComparison.Ordinal) ? url.Substring(FromPage.Length) : "";
            Func<JsonElement, object> handler;
            if (!handlers.TryGetValue(topic, out handler))
            {
                Say(id, 1006, "functionNotSupported", new object());
                return;
            }
            try
            {
                Say(id, 200, "succeed", handler(data));
            }
            catch (BadPayload refusal)
            {
                Say(id, 1003, "paramInvalid", refusal.Fields);
            }
            catch (Exception failure)
            {
                // The text of an exception stays here.
                System.Diagnostics.Trace.TraceError("{0}: {1}", topic, failure);
                Say(id, 1012, "serviceBusy", new object());
            }
        }

        private void Say(JsonElement id, int code, string message, object data)
        {
            send(JsonSerializer.Serialize(new { id, code, message, data, nonce }));
        }

        private static string TextOf(JsonElement message, string name)
        {
            JsonElement value;
            return message.TryGetProperty(name, out value) && value.ValueKind == JsonValueKind.String ? value.GetString() : null;
        }

        /// <summary>A text or a whole number, told apart: `1` is not `"1"`.</summary>
        private static string IdOf(JsonElement message)
        {
            JsonElement value;
            if (!message.TryGetProperty("id", out value)) return null;
            long number;
            if (value.ValueKind == JsonValueKind.Number) return value.TryGetInt64(out number) ? "#" + number : null;
            var text = TextOf(message, "id");
            return string.IsNullOrEmpty(text) || text.Length > IdLength ? null : "$" + text;
        }

        private static bool IsPlain(JsonElement value)
        {
            if (value.ValueKind != JsonValueKind.Object) return false;
            return value.EnumerateObject().All(field => HasNoPrototypeName(field));
        }

        private static bool HasNoPrototypeName(JsonProperty field)
        {
            return !PrototypeNames.Contains(field.Name) && IsClean(field.Value);
        }

        private static bool IsClean(JsonElement value)
        {
            if (value.ValueKind == JsonValueKind.Object) return value.EnumerateObject().All(HasNoPrototypeName);
            return value.ValueKind != JsonValueKind.Array || value.EnumerateArray().All(IsClean);
        }
    }
}
