"""Jobs of batch, as tests run them."""

from webclean.batch.job import Job, plan_job, run_plan
from webclean.batch.output_folder import Counts


def run_job(job: Job) -> Counts:
    """Do a job and count what came of it."""
    plan = plan_job(job)
    run_plan(plan, lambda *_: None)
    return plan.count()
