cwlVersion: v1.2
class: Workflow
requirements:
  ScatterFeatureRequirement: {}
  InlineJavascriptRequirement: {}
inputs:
  samples: {type: "string[]"}
outputs:
  indexes: {type: "File[]", outputSource: index/fai}
steps:
  simulate:
    run: simulate.cwl
    scatter: sample
    in: {sample: samples}
    out: [fasta]
  index:
    run: index.cwl
    scatter: fasta
    in: {fasta: simulate/fasta}
    out: [fai]
