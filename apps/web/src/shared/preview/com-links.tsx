import { Fragment, type ReactNode } from 'react'
import { formatMarks } from './formatar.tsx'

const URL_PATTERN = /\b(?:https?:\/\/|www\.)[^\s<>`]*[^\s<>.,;:!?'"*~`()[\]]/giu
/** A private-use character replaces each URL while the marks around it are parsed. */
const PLACEHOLDER = '\uE000'

/**
 * Renders WhatsApp's marks and URLs. Links open a new window without opener or referrer, and only over http or
 * https.
 */
export function textWithLinks(text: string): ReactNode {
  const limpo = text.replaceAll(PLACEHOLDER, '')
  const enderecos = limpo.match(URL_PATTERN)
  if (enderecos === null) return formatMarks(limpo)
  let proximo = 0
  const trocar = (trecho: string): ReactNode =>
    trecho.split(PLACEHOLDER).map((parte, indice) => {
      const endereco = indice === 0 ? undefined : enderecos[proximo++]
      return (
        // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text never change places
        <Fragment key={indice}>
          {endereco !== undefined && <Link endereco={endereco} />}
          {parte}
        </Fragment>
      )
    })
  return formatMarks(limpo.replace(URL_PATTERN, PLACEHOLDER), trocar)
}

function Link({ endereco }: { endereco: string }) {
  const url = /^https?:/i.test(endereco) ? endereco : `https://${endereco}`
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow" className="break-all underline hover:no-underline">
      {endereco}
    </a>
  )
}
