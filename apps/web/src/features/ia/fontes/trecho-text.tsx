interface TrechoTextProps {
  /** Where the piece stands. Empty: not known. */
  readonly place: string
  readonly text: string
}

export function TrechoText({ place, text }: TrechoTextProps) {
  return (
    <>
      {place !== '' && <p className="text-sm font-semibold [overflow-wrap:anywhere]">{place}</p>}
      <p className="text-sm whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">{text}</p>
    </>
  )
}
