"""The manifests of clusters: what Ray's schema says of one; that all of them ask for a token."""

import copy
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
    # The schema does refuse.
    with pytest.raises(jsonschema.ValidationError, match="autoscaler"):
        validate_config({**prepared, "autoscaler": 1})


def test_kuberay():
    cluster, policy = yaml.safe_load_all((DEPLOY / "kuberay.yaml").read_text())
    assert (cluster["apiVersion"], cluster["kind"]) == ("ray.io/v1", "RayCluster")
    spec = cluster["spec"]
    assert spec["authOptions"] == {"mode": "token"}
    groups = [spec["headGroupSpec"], *spec["workerGroupSpecs"]]
    containers = [container for group in groups for container in group["template"]["spec"]["containers"]]
    # The same program everywhere, on cores and memory of its own.
    assert {container["image"].rsplit(":")[-1] for container in containers} == {spec["rayVersion"]}
    assert all(container["resources"]["limits"] == container["resources"]["requests"] for container in containers)
    # No worker beside the coordinator, and nobody else at the ports.
    assert spec["headGroupSpec"]["rayStartParams"]["num-cpus"] == "0"
    labels = {"ray.io/cluster": cluster["metadata"]["name"]}
    assert policy["spec"]["podSelector"]["matchLabels"] == labels
    assert policy["spec"]["ingress"] == [{"from": [{"podSelector": {"matchLabels": labels}}]}]
