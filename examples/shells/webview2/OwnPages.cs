// What belongs to the shell's own server: documents, permissions, and the links by which other programs open a page.
using System;
using Microsoft.Web.WebView2.Core;

namespace Vedette.Shell
{
    public sealed class OwnPages
    {
        public const string Scheme = "vedette";
        private const string FirstPage = "/client.html";
        private readonly Uri server;

        public OwnPages(string address)
        {
            server = new Uri(address);
        }

        public string Start
        {
            get { return new Uri(server, FirstPage).AbsoluteUri; }
        }

        /// <summary>By scheme, host and port: of a document that is asked for, or that sent a message.</summary>
        public bool IsOwn(string address)
        {
            Uri given;
            // What a page made itself has the origin of the page.
            if (address.StartsWith("blob:", StringComparison.Ordinal)) address = address.Substring("blob:".Length);
            if (!Uri.TryCreate(address, UriKind.Absolute, out given)) return false;
            return given.Scheme == server.Scheme && given.IdnHost == server.IdnHost && given.Port == server.Port;
        }

        /// <summary>Everything that the console asks for; the camera of the machine is not among it.</summary>
        public bool MayHave(CoreWebView2PermissionKind kind, string asking)
        {
            if (!IsOwn(asking)) return false;
            return kind == CoreWebView2PermissionKind.Notifications
                || kind == CoreWebView2PermissionKind.Microphone
                || kind == CoreWebView2PermissionKind.WindowManagement;
        }

        /// <summary>The page of a link such as `vedette:/client.html#/homepage/alarmMsg`; null where it is none, or would lead elsewhere.</summary>
        public string Linked(string link)
        {
            var prefix = Scheme + ":";
            if (link == null || !link.StartsWith(prefix + "/", StringComparison.Ordinal)) return null;
            // `//other.example` names another host: the origin of the result is judged, not the text.
            Uri page;
            if (!Uri.TryCreate(server, link.Substring(prefix.Length), out page)) return null;
            return IsOwn(page.AbsoluteUri) ? page.AbsoluteUri : null;
        }
    }
}
