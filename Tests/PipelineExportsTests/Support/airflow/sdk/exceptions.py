"""The exceptions that a DAG of ours raises or catches."""


class AirflowException(Exception):
    pass


class AirflowFailException(AirflowException):
    pass


class AirflowSkipException(AirflowException):
    pass


class AirflowNotFoundException(AirflowException):
    pass
