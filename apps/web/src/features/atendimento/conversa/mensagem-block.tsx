import { Fragment, memo, useEffect, useState } from 'react'
import { StickyNote } from 'lucide-react'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import type { NotaConversa } from '@balcao/contract/entities/nota'
import { mergeTimeline } from '#features/atendimento/notas/timeline.ts'
import { formatNumber, formatTime } from '#shared/format.ts'
import { dayName, useToday } from '#features/atendimento/lista/waiting-time.ts'
import { useAtendentes } from '#shared/conta/atendentes.ts'
import { textWithLinks } from '#shared/preview/text-with-links.tsx'
import { useUsuario } from '#shared/session.tsx'
import { splitMentions } from '#features/atendimento/notas/mentions.ts'
import { MensagemBubble, type MensagemBubbleProps } from './mensagem-bubble.tsx'

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

const NotaBubble = memo(function NotaBubble({ nota }: { nota: NotaConversa }) {
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

export interface UnreadDivider {
  readonly id: string
  readonly count: number
  /** Number of unread mensagens below the divider, when older unread ones are not loaded. */
  readonly loadedCount?: number
}

const DIVIDER_CLASS = 'justify-self-center rounded-full px-3 py-0.5 text-xs font-semibold'

function unreadText({ count, loadedCount }: UnreadDivider): string {
  if (count === 1) return '1 nova mensagem'
  const all = `${formatNumber(count)} novas mensagens`
  return loadedCount === undefined ? all : `Últimas ${formatNumber(loadedCount)} de ${all}`
}

interface DividersProps {
  readonly em: string
  readonly before: string | undefined
  readonly unread: UnreadDivider | null
  readonly today: string
}

function Dividers({ em, before, unread, today }: DividersProps) {
  const day = dayName(em, today)
  return (
    <>
      {(before === undefined || dayName(before, today) !== day) && (
        <li className={`${DIVIDER_CLASS} bg-surface text-muted`}>{day}</li>
      )}
      {unread !== null && (
        <li data-novas className={`${DIVIDER_CLASS} bg-info-soft text-info-ink`}>
          {unreadText(unread)}
        </li>
      )}
    </>
  )
}

/** `content-visibility` skips a block only after two frames, when the browser knows its real height. */
function useMeasured(): boolean {
  const [measured, setMeasured] = useState(false)
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setMeasured(true))
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return measured
}

export interface MensagemBlockProps {
  readonly mensagens: readonly Mensagem[]
  readonly notas: readonly NotaConversa[]
  readonly before: string | undefined
  readonly unread: UnreadDivider | null
  readonly recent: boolean
  readonly onResend: ((id: string) => void) | undefined
  readonly onWhy: ((id: string) => void) | undefined
  readonly onActions: MensagemBubbleProps['onActions']
}

/**
 * One page of the chat. A new mensagem re-renders only its block, and `content-visibility` skips off-screen blocks.
 * Unlike a virtual list, all mensagens stay in the document for browser search, selection and reading order.
 */
export const MensagemBlock = memo(function MensagemBlock(props: MensagemBlockProps) {
  const { mensagens, notas, before, unread, recent, onResend, onWhy, onActions } = props
  const entries = mergeTimeline(mensagens, notas)
  const measured = useMeasured()
  const today = useToday()
  return (
    <ol
      className="grid gap-2 [contain-intrinsic-size:auto_3000px]"
      style={measured && !recent ? { contentVisibility: 'auto' } : undefined}
    >
      {entries.map((entry, index) => (
        <Fragment key={entry.tipo === 'nota' ? entry.nota.id : entry.mensagem.id}>
          <Dividers
            em={entry.em}
            before={entries[index - 1]?.em ?? before}
            unread={entry.tipo === 'mensagem' && entry.mensagem.id === unread?.id ? unread : null}
            today={today}
          />
          {entry.tipo === 'nota' ? (
            <NotaBubble nota={entry.nota} />
          ) : (
            <MensagemBubble mensagem={entry.mensagem} onResend={onResend} onWhy={onWhy} onActions={onActions} />
          )}
        </Fragment>
      ))}
    </ol>
  )
})
