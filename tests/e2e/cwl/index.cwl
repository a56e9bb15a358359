cwlVersion: v1.2
class: CommandLineTool
baseCommand: [samtools, faidx]
requirements:
  InlineJavascriptRequirement: {}
  InitialWorkDirRequirement: {listing: [$(inputs.fasta)]}
inputs:
  fasta: {type: File, inputBinding: {position: 1, valueFrom: $(self.basename)}}
outputs:
  fai: {type: File, outputBinding: {glob: '*.fai'}}
