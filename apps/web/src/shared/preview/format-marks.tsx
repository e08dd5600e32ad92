import { Fragment, type ReactNode } from 'react'

const MARK =
  /(?<mono>```|`)(?=\s*[^\s`])(?<fixo>[^`]+)\k<mono>|(?<![\p{L}\p{N}])(?<marca>[*_~])(?=\S)(?<dentro>.+?)(?<=\S)\k<marca>(?![\p{L}\p{N}])/u

const asIs = (piece: string): ReactNode => piece

/**
 * Renders WhatsApp's marks: *bold*, _italic_, ~strike~, nested as well, and ```mono```, which contains no marks.
 * The callback draws the text pieces in reading order.
 */
export function formatMarks(text: string, renderText = asIs): ReactNode {
  const found = MARK.exec(text)
  if (found === null) return renderText(text)
  const { fixo, marca, dentro = '' } = found.groups ?? {}
  const Elemento = marca === '*' ? 'strong' : marca === '_' ? 'em' : 's'
  return (
    <Fragment>
      {renderText(text.slice(0, found.index))}
      {fixo === undefined ? (
        <Elemento>{formatMarks(dentro, renderText)}</Elemento>
      ) : (
        <code className="font-mono text-[0.92em]">{renderText(fixo)}</code>
      )}
      {formatMarks(text.slice(found.index + found[0].length), renderText)}
    </Fragment>
  )
}
