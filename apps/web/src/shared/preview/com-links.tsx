import { Fragment, type ReactNode } from 'react'
import { formatar } from './formatar.tsx'

/** An address as people write it; the full stop, the bracket or the mark after it are the sentence's. */
const ENDERECO = /\b(?:https?:\/\/|www\.)[^\s<>`]*[^\s<>.,;:!?'"*~`()[\]]/giu
/** A sign nobody types (Unicode's private use) holds an address's place while the marks around it are read. */
const LUGAR = '\uE000'

/** WhatsApp's marks and the addresses as links, in a new window that learns nothing of this one. Only http and https lead anywhere. */
export function comLinks(texto: string): ReactNode {
  const limpo = texto.replaceAll(LUGAR, '')
  const enderecos = limpo.match(ENDERECO)
  if (enderecos === null) return formatar(limpo)
  let proximo = 0
  const trocar = (trecho: string): ReactNode =>
    trecho.split(LUGAR).map((parte, indice) => {
      const endereco = indice === 0 ? undefined : enderecos[proximo++]
      return (
        // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text never change places
        <Fragment key={indice}>
          {endereco !== undefined && <Link endereco={endereco} />}
          {parte}
        </Fragment>
      )
    })
  return formatar(limpo.replace(ENDERECO, LUGAR), trocar)
}

function Link({ endereco }: { endereco: string }) {
  const url = /^https?:/i.test(endereco) ? endereco : `https://${endereco}`
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow" className="break-all underline hover:no-underline">
      {endereco}
    </a>
  )
}
