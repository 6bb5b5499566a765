# An independent RTSP server for tests: GStreamer's, with test pictures; prints {"port": N} once it listens.
import argparse
import json
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

PIPELINES = {
    "/h264": "( videotestsrc is-live=true pattern=ball ! video/x-raw,width=640,height=360,framerate=15/1 "
    "! x264enc tune=zerolatency key-int-max=30 bitrate=500 speed-preset=ultrafast ! rtph264pay name=pay0 pt=96 )",
    "/h264-aac": "( videotestsrc is-live=true ! video/x-raw,width=640,height=360,framerate=15/1 "
    "! x264enc tune=zerolatency key-int-max=30 bitrate=500 speed-preset=ultrafast ! rtph264pay name=pay0 pt=96 "
    "audiotestsrc is-live=true ! audio/x-raw,rate=48000,channels=1 ! avenc_aac ! rtpmp4gpay name=pay1 pt=97 )",
    "/h264-pcma": "( videotestsrc is-live=true ! video/x-raw,width=640,height=360,framerate=15/1 "
    "! x264enc tune=zerolatency key-int-max=30 bitrate=500 speed-preset=ultrafast ! rtph264pay name=pay0 pt=96 "
    "audiotestsrc is-live=true ! audio/x-raw,rate=8000,channels=1 ! alawenc ! rtppcmapay name=pay1 pt=8 )",
    "/h265": "( videotestsrc is-live=true ! video/x-raw,width=640,height=360,framerate=10/1 "
    "! x265enc tune=zerolatency key-int-max=20 bitrate=400 speed-preset=ultrafast ! rtph265pay name=pay0 pt=96 )",
    "/mjpeg": "( videotestsrc is-live=true ! video/x-raw,format=I420,width=320,height=176,framerate=5/1 ! jpegenc ! rtpjpegpay name=pay0 pt=26 )",
    "/audio-only": "( audiotestsrc is-live=true ! audio/x-raw,rate=8000,channels=1 ! alawenc ! rtppcmapay name=pay0 pt=8 )",
}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", default="0")
    parser.add_argument("--user")
    parser.add_argument("--password-stdin", action="store_true")
    arguments = parser.parse_args()
    Gst.init(None)
    server = GstRtspServer.RTSPServer.new()
    server.set_address("127.0.0.1")
    server.set_service(arguments.port)
    if arguments.user:
        password = sys.stdin.readline().strip()
        auth = GstRtspServer.RTSPAuth()
        token = GstRtspServer.RTSPToken()
        token.set_string("media.factory.role", "viewer")
        auth.add_digest(arguments.user, password, token)
        auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
        server.set_auth(auth)
    mounts = server.get_mount_points()
    for path, pipeline in PIPELINES.items():
        factory = GstRtspServer.RTSPMediaFactory()
        factory.set_launch(pipeline)
        factory.set_shared(True)
        if arguments.user:
            permissions = GstRtspServer.RTSPPermissions()
            permissions.add_permission_for_role("viewer", "media.factory.access", True)
            permissions.add_permission_for_role("viewer", "media.factory.construct", True)
            factory.set_permissions(permissions)
        mounts.add_factory(path, factory)
    server.attach(None)
    print(json.dumps({"port": server.get_bound_port()}), flush=True)
    GLib.MainLoop().run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
