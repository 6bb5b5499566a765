# Third-party RTSP server for tests: GStreamer's, with test video; prints {"port": N} once it listens.
# Each path is there a second time below /udp, where it gives its media over UDP only.
import argparse
import json
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import Gio, GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

PIPELINES = {
    "/h264": "( videotestsrc is-live=true pattern=ball ! video/x-raw,width=640,height=360,framerate=15/1 "
    "! x264enc tune=zerolatency key-int-max=30 bitrate=500 speed-preset=ultrafast ! rtph264pay name=pay0 pt=96 )",
    "/h264-aac": "( videotestsrc is-live=true ! video/x-raw,width=640,height=360,framerate=15/1 "
    "! x264enc tune=zerolatency key-int-max=30 bitrate=500 speed-preset=ultrafast ! rtph264pay name=pay0 pt=96 "
    "audiotestsrc is-live=true ! audio/x-raw,rate=48000,channels=1 ! avenc_aac ! rtpmp4gpay name=pay1 pt=97 )",
    "/h264-pcma": "( videotestsrc is-live=true ! video/x-raw,width=640,height=360,framerate=15/1 "
    "! x264enc tune=zerolatency key-int-max=30 bitrate=500 speed-preset=ultrafast ! rtph264pay name=pay0 pt=96 "
    "audiotestsrc is-live=true ! audio/x-raw,rate=8000,channels=1 ! alawenc ! rtppcmapay name=pay1 pt=8 )",
    # Pictures come in the order of decoding, two of three ahead of one that is shown before them.
    "/h264-b": "( videotestsrc is-live=true pattern=ball ! video/x-raw,width=640,height=360,framerate=15/1 "
    "! x264enc bframes=2 b-adapt=false key-int-max=30 rc-lookahead=0 sync-lookahead=0 bitrate=500 speed-preset=ultrafast "
    "! video/x-h264,profile=main ! rtph264pay name=pay0 pt=96 )",
    "/h265": "( videotestsrc is-live=true ! video/x-raw,width=640,height=360,framerate=10/1 "
    "! x265enc tune=zerolatency key-int-max=20 bitrate=400 speed-preset=ultrafast ! rtph265pay name=pay0 pt=96 )",
    # A camera of many homes: H.265 in full size, H.264 beside it under its maker's path.
    "/stream1": "( videotestsrc is-live=true ! video/x-raw,width=640,height=360,framerate=10/1 "
    "! x265enc tune=zerolatency key-int-max=20 bitrate=400 speed-preset=ultrafast ! rtph265pay name=pay0 pt=96 )",
    "/stream2": "( videotestsrc is-live=true ! video/x-raw,width=320,height=180,framerate=10/1 "
    "! x264enc tune=zerolatency key-int-max=20 bitrate=200 speed-preset=ultrafast ! rtph264pay name=pay0 pt=96 )",
    "/mjpeg": "( videotestsrc is-live=true ! video/x-raw,format=I420,width=320,height=176,framerate=5/1 ! jpegenc ! rtpjpegpay name=pay0 pt=26 )",
    "/h264-pcmu": "( videotestsrc is-live=true ! video/x-raw,width=640,height=360,framerate=15/1 "
    "! x264enc tune=zerolatency key-int-max=30 bitrate=500 speed-preset=ultrafast ! rtph264pay name=pay0 pt=96 "
    "audiotestsrc is-live=true ! audio/x-raw,rate=8000,channels=1 ! mulawenc ! rtppcmupay name=pay1 pt=0 )",
    "/h264-latm": "( videotestsrc is-live=true ! video/x-raw,width=640,height=360,framerate=15/1 "
    "! x264enc tune=zerolatency key-int-max=30 bitrate=500 speed-preset=ultrafast ! rtph264pay name=pay0 pt=96 "
    "audiotestsrc is-live=true ! audio/x-raw,rate=48000,channels=1 ! avenc_aac ! rtpmp4apay name=pay1 pt=97 )",
    "/h264-opus": "( videotestsrc is-live=true ! video/x-raw,width=640,height=360,framerate=15/1 "
    "! x264enc tune=zerolatency key-int-max=30 bitrate=500 speed-preset=ultrafast ! rtph264pay name=pay0 pt=96 "
    "audiotestsrc is-live=true ! audio/x-raw,rate=48000,channels=2 ! opusenc ! rtpopuspay name=pay1 pt=97 )",
    "/vp8": "( videotestsrc is-live=true ! video/x-raw,width=320,height=180,framerate=5/1 ! vp8enc deadline=1 ! rtpvp8pay name=pay0 pt=96 )",
    "/audio-only": "( audiotestsrc is-live=true ! audio/x-raw,rate=8000,channels=1 ! alawenc ! rtppcmapay name=pay0 pt=8 )",
}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", default="0")
    parser.add_argument("--user")
    parser.add_argument("--password-stdin", action="store_true")
    parser.add_argument("--tls-cert")
    parser.add_argument("--tls-key")
    arguments = parser.parse_args()
    Gst.init(None)
    server = GstRtspServer.RTSPServer.new()
    server.set_address("127.0.0.1")
    server.set_service(arguments.port)
    auth = GstRtspServer.RTSPAuth() if arguments.user or arguments.tls_cert else None
    if arguments.tls_cert:
        auth.set_tls_certificate(Gio.TlsCertificate.new_from_files(arguments.tls_cert, arguments.tls_key))
    if arguments.user:
        password = sys.stdin.readline().strip()
        token = GstRtspServer.RTSPToken()
        token.set_string("media.factory.role", "viewer")
        auth.add_digest(arguments.user, password, token)
        auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
    if auth and not arguments.user:
        # Everyone may play; only the line is secret.
        token = GstRtspServer.RTSPToken()
        token.set_string("media.factory.role", "anonymous")
        auth.set_default_token(token)
    if auth:
        server.set_auth(auth)
    mounts = server.get_mount_points()
    role = "viewer" if arguments.user else "anonymous"
    for path, pipeline in PIPELINES.items():
        for prefix in ("", "/udp"):
            factory = GstRtspServer.RTSPMediaFactory()
            factory.set_launch(pipeline)
            factory.set_shared(True)
            if prefix:
                factory.set_protocols(GstRtsp.RTSPLowerTrans.UDP)
            if auth:
                permissions = GstRtspServer.RTSPPermissions()
                permissions.add_permission_for_role(role, "media.factory.access", True)
                permissions.add_permission_for_role(role, "media.factory.construct", True)
                factory.set_permissions(permissions)
            mounts.add_factory(prefix + path, factory)
    server.attach(None)
    print(json.dumps({"port": server.get_bound_port()}), flush=True)
    GLib.MainLoop().run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
