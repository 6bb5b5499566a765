"""What can go wrong between this client and a Vedette server."""


class VedetteError(Exception):
    """Any failure of this client."""


class CannotConnect(VedetteError):
    """The server cannot be reached or does not answer in time; later it may."""


class NoVedette(VedetteError):
    """What answers at the address is no Vedette server, or its certificate is not trusted."""


class SignInRefused(VedetteError):
    """The server refuses the app, its secret or the code of a sign-in."""


class SignInEnded(VedetteError):
    """What the account allowed is over: revoked, expired, or the app was disabled. Only a new sign-in helps."""


class CallRefused(VedetteError):
    """The server answers a call with another code than 200."""

    def __init__(self, path: str, code: int) -> None:
        """Keep the code of the server's catalogue of errors."""
        super().__init__(f"{path} answered {code}")
        self.code = code
