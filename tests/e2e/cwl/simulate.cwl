cwlVersion: v1.2
class: CommandLineTool
requirements:
  ShellCommandRequirement: {}
  InlineJavascriptRequirement: {}
inputs:
  sample: string
arguments:
  - {shellQuote: false, valueFrom: 'seq 2000 | awk ''{print ">c" $1; print "ACGTACGTACGT"}'' > $(inputs.sample).fa'}
outputs:
  fasta: {type: File, outputBinding: {glob: $(inputs.sample).fa}}
