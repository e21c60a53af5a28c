"""As much of Airflow's SDK as a DAG of ours uses: it collects tasks, and `drive.py` runs them."""

from .exceptions import AirflowNotFoundException

NOTSET = object()
DAGS = []
CONTEXT = {}
CONNECTIONS = {}


class Param:
    def __init__(self, default=NOTSET, description=None, **schema):
        self.value = default
        self.schema = {**schema, **({"description": description} if description else {})}


class Connection:
    def __init__(self, password):
        self.password = password

    @classmethod
    def get(cls, name):
        if name not in CONNECTIONS:
            raise AirflowNotFoundException(name)
        return cls(CONNECTIONS[name])


def get_current_context():
    return CONTEXT


class Dag:
    def __init__(self, settings):
        self.settings = settings
        self.tasks = []


class Task:
    """A task, or a task that is run for each element of a list."""

    def __init__(self, function, settings, arguments, each=None):
        self.function = function
        self.id = settings.get("task_id", function.__name__)
        self.rule = settings.get("trigger_rule", "all_success")
        self.arguments = arguments
        self.each = each or {}
        self.follows = []
        known = [task.id for task in DAGS[-1].tasks]
        assert self.id not in known, self.id
        DAGS[-1].tasks.append(self)
        for value in [*arguments[0], *arguments[1].values(), *self.each.values()]:
            if isinstance(value, Task):
                self.follow(value)

    def follow(self, task):
        if task not in self.follows:
            self.follows.append(task)

    def __rshift__(self, task):
        task.follow(self)
        return task

    def __rrshift__(self, tasks):
        for task in tasks:
            self.follow(task)
        return self


class TaskMaker:
    def __init__(self, function, settings, fixed=None):
        self.function, self.settings, self.fixed = function, settings, fixed or {}

    def override(self, **settings):
        return TaskMaker(self.function, {**self.settings, **settings}, self.fixed)

    def partial(self, **fixed):
        return TaskMaker(self.function, self.settings, {**self.fixed, **fixed})

    def expand(self, **each):
        return Task(self.function, self.settings, ((), self.fixed), each)

    def __call__(self, *words, **named):
        return Task(self.function, self.settings, (words, named))


def task(function=None, **settings):
    if function is None:
        return lambda function: TaskMaker(function, settings)
    return TaskMaker(function, settings)


def dag(**settings):
    def decorate(function):
        def make():
            DAGS.append(Dag(settings))
            function()
            return DAGS[-1]

        return make

    return decorate
