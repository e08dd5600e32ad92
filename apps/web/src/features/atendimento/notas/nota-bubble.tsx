import type { NotaConversa } from '@balcao/contract/entities/nota'
import { StickyNote } from 'lucide-react'
import { Fragment, memo } from 'react'
import { useAtendentes } from '#shared/conta/atendentes.ts'
import { formatTime } from '#shared/format.ts'
import { textWithLinks } from '#shared/preview/text-with-links.tsx'
import { useUsuario } from '#shared/session.tsx'
import { splitMentions } from './mentions.ts'

function NotaText({ nota: { texto, mencoes } }: { nota: NotaConversa }) {
  const { id: myId } = useUsuario()
  const people = useAtendentes(mencoes.length > 0).filter(({ id }) => mencoes.includes(id))
  return (
    <p className="break-words whitespace-pre-wrap">
      {splitMentions(texto, people).map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never change places
        <Fragment key={index}>
          {part.people === undefined ? (
            textWithLinks(part.text)
          ) : (
            <b className={part.people.includes(myId) ? 'rounded bg-surface px-0.5 text-warn-ink' : undefined}>
              {part.text}
            </b>
          )}
        </Fragment>
      ))}
    </p>
  )
}

/** A nota between the mensagens. Colour, border, icon and words differ from those of a mensagem. */
export const NotaBubble = memo(function NotaBubble({ nota }: { nota: NotaConversa }) {
  const { id, autor, autorId, criadaEm } = nota
  const { id: myId } = useUsuario()
  return (
    <li
      data-mensagem={id}
      data-nota
      className="max-w-[85%] min-w-0 justify-self-end rounded-xl border border-dashed border-warn-fill bg-warn-soft px-3 py-1.5 text-[0.93rem] leading-[1.4] text-ink sm:max-w-[min(75%,40rem)]"
    >
      <p className="flex items-center gap-1.5 text-xs font-semibold text-warn-ink">
        <StickyNote size={13} aria-hidden className="flex-none" />
        <span className="min-w-0 truncate">Nota de {autorId === myId ? 'você' : autor}</span>
      </p>
      <NotaText nota={nota} />
      <p className="flex items-center justify-end text-[11px] text-warn-ink tabular-nums">
        <time dateTime={criadaEm}>{formatTime(criadaEm)}</time>
      </p>
    </li>
  )
})
