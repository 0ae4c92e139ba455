"""Access to a cluster: the manifests, checked by Ray's schema, and a cluster that the test starts."""

import copy
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml
from ray.autoscaler._private.util import prepare_config, validate_config

DEPLOY = Path(__file__).parents[3] / "deploy"


def test_ray_up():
    config = yaml.safe_load((DEPLOY / "ray.yaml").read_text())
    prepared = prepare_config(copy.deepcopy(config))
    validate_config(prepared)
    assert prepared["max_workers"] == len(config["provider"]["worker_ips"])
    starts = [line for kind in ("head", "worker") for line in config[f"{kind}_start_ray_commands"] if "ray start" in line]
    assert len(starts) == 2 and all("RAY_AUTH_MODE=token" in line for line in starts)
    # The schema refuses a wrong manifest.
    with pytest.raises(jsonschema.ValidationError, match="autoscaler"):
        validate_config({**prepared, "autoscaler": 1})


def test_kuberay():
    cluster, policy = yaml.safe_load_all((DEPLOY / "kuberay.yaml").read_text())
    assert (cluster["apiVersion"], cluster["kind"]) == ("ray.io/v1", "RayCluster")
    spec = cluster["spec"]
    assert spec["authOptions"] == {"mode": "token"}
    groups = [spec["headGroupSpec"], *spec["workerGroupSpecs"]]
    containers = [container for group in groups for container in group["template"]["spec"]["containers"]]
    # All containers run the same program, each with its own cores and memory.
    assert {container["image"].rsplit(":")[-1] for container in containers} == {spec["rayVersion"]}
    assert all(container["resources"]["limits"] == container["resources"]["requests"] for container in containers)
    # No worker runs beside the coordinator, and no other program reaches the ports.
    assert spec["headGroupSpec"]["rayStartParams"]["num-cpus"] == "0"
    labels = {"ray.io/cluster": cluster["metadata"]["name"]}
    assert policy["spec"]["podSelector"]["matchLabels"] == labels
    assert policy["spec"]["ingress"] == [{"from": [{"podSelector": {"matchLabels": labels}}]}]


STARTED = """
import os, ray  # the latter first: it reads then whether there are tokens
import bucketwheel as bw, bucketwheel.cluster as cluster
point = bytes(bw.Point("bn254", "g1", 1, 2))
with cluster.Bases.put(point * 4, curve="bn254", shards=2, workers=1, num_cpus=1) as bases:
    print(bases.msm([1, 2, 3, 4]).point == bw.Bases(point, curve="bn254").msm([10]), os.environ["RAY_AUTH_MODE"])
"""


def test_a_cluster_that_is_started_here_asks_for_a_token(alone, tmp_path):
    program = [sys.executable, "-c", STARTED]
    done = subprocess.run(program, env=alone, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines()[-1:] == ["True token"], done.stderr
