import { URL_PATTERN } from '@balcao/contract/text/mensagem-summary'
import { Fragment, type ReactNode } from 'react'
import { formatMarks } from './format-marks.tsx'

/** A private-use character replaces each URL while the marks around it are parsed. */
const PLACEHOLDER = '\uE000'

/**
 * Renders WhatsApp's marks and URLs. Links open a new window without opener or referrer, and only over http or
 * https.
 */
export function textWithLinks(text: string): ReactNode {
  const clean = text.replaceAll(PLACEHOLDER, '')
  const addresses = clean.match(URL_PATTERN)
  if (addresses === null) return formatMarks(clean)
  let next = 0
  const trocar = (excerpt: string): ReactNode =>
    excerpt.split(PLACEHOLDER).map((part, index) => {
      const address = index === 0 ? undefined : addresses[next++]
      return (
        // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text never change places
        <Fragment key={index}>
          {address !== undefined && <WebLink endereco={address} />}
          {part}
        </Fragment>
      )
    })
  return formatMarks(clean.replace(URL_PATTERN, PLACEHOLDER), trocar)
}

export function WebLink({ endereco }: { endereco: string }) {
  const url = /^https?:/i.test(endereco) ? endereco : `https://${endereco}`
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow" className="break-all underline hover:no-underline">
      {endereco}
    </a>
  )
}
