import { Fragment } from 'react'

interface MarkedTextProps {
  readonly text: string
  readonly marcas: readonly (readonly [number, number])[]
}

/** Highlights the found words, also those that the person wrote with an error. */
export function MarkedText({ text, marcas }: MarkedTextProps) {
  const begins = [0, ...marcas.map(([, end]) => end)]
  return marcas.length === 0 ? (
    text
  ) : (
    <>
      {marcas.map(([start, end], index) => (
        <Fragment key={start}>
          {text.slice(begins[index], start)}
          <mark className="rounded-sm bg-warn-soft font-semibold text-warn-ink">{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(begins.at(-1))}
    </>
  )
}
