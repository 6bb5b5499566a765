# Third-party camera with a loudspeaker: GStreamer's ONVIF RTSP server; writes received audio as 16-bit samples to descriptor 3, and its port as one JSON line to standard output.
import json
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

# Whoever only talks does not set up the picture; now and then GStreamer 1.22 then ends the whole camera with "not-linked".
PICTURE = (
    "( videotestsrc is-live=true ! video/x-raw,width=320,height=180,framerate=5/1 "
    "! x264enc tune=zerolatency key-int-max=10 bitrate=200 speed-preset=ultrafast "
    "! errorignore ignore-notlinked=true convert-to=ok ! rtph264pay name=pay0 pt=96 )"
)
LAWS = {
    "/pcmu": ("PCMU", 0, "rtppcmudepay ! mulawdec"),
    "/pcma": ("PCMA", 8, "rtppcmadepay ! alawdec"),
}


def main() -> int:
    Gst.init(None)
    server = GstRtspServer.RTSPOnvifServer.new()
    server.set_address("127.0.0.1")
    server.set_service("0")
    mounts = server.get_mount_points()
    for path, (name, payload, decode) in LAWS.items():
        caps = f"application/x-rtp,media=audio,payload={payload},clock-rate=8000,encoding-name={name}"
        factory = GstRtspServer.RTSPOnvifMediaFactory.new()
        factory.set_launch(PICTURE)
        factory.set_backchannel_launch(
            f'( capsfilter caps="{caps}" name=depay_backchannel ! {decode} ! audioconvert '
            "! audio/x-raw,format=S16LE,rate=8000,channels=1 ! fdsink fd=3 sync=false async=false )"
        )
        factory.set_shared(False)
        factory.set_media_gtype(GstRtspServer.RTSPOnvifMedia.__gtype__)
        mounts.add_factory(path, factory)
    silent = GstRtspServer.RTSPMediaFactory()
    silent.set_launch(PICTURE)
    mounts.add_factory("/none", silent)
    server.attach(None)
    print(json.dumps({"port": server.get_bound_port()}), flush=True)
    GLib.MainLoop().run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
