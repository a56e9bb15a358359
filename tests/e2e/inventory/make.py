#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes machines and volumes at moto.

    make.py URL     prints the number of the account that the role is in, a machine's id and a volume's id
"""
import sys

import boto3

ROLE = "arn:aws:iam::222222222222:role/tracer-inventory"


def client(service, key=("AKIDOWN", "own", None)):
    return boto3.client(service, endpoint_url=sys.argv[1], region_name="us-east-1", aws_access_key_id=key[0], aws_secret_access_key=key[1],
                        aws_session_token=key[2])


def tags(kind, **values):
    return [{"ResourceType": kind, "Tags": [{"Key": key, "Value": value} for key, value in values.items()]}]


given = client("sts").assume_role(RoleArn=ROLE, RoleSessionName="make")["Credentials"]
ec2 = client("ec2", (given["AccessKeyId"], given["SecretAccessKey"], given["SessionToken"]))
image = ec2.describe_images()["Images"][0]["ImageId"]
made = ec2.run_instances(ImageId=image, InstanceType="m5.large", MinCount=7, MaxCount=7,
                         TagSpecifications=tags("instance", Name="forgotten", Owner="ann"))["Instances"]
ec2.create_tags(Resources=[made[1]["InstanceId"]], Tags=[{"Key": "tracer:idle", "Value": "by-design"}])
ec2.terminate_instances(InstanceIds=[made[2]["InstanceId"]])
ec2.stop_instances(InstanceIds=[made[3]["InstanceId"]])
volume = ec2.create_volume(AvailabilityZone="us-east-1a", Size=100, VolumeType="gp3", TagSpecifications=tags("volume", Name="left"))
print(ROLE.split(":")[4], made[0]["InstanceId"], volume["VolumeId"])
