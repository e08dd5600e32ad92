import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { Fragment, memo, useEffect, useState } from 'react'
import { formatNumber } from '#shared/format.ts'
import { MensagemBubble, type MensagemBubbleProps } from './mensagem-bubble.tsx'
import { dayName, useToday } from '#features/atendimento/lista/waiting-time.ts'

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
  readonly mensagem: Mensagem
  readonly before: Mensagem | undefined
  readonly unread: UnreadDivider | null
  readonly today: string
}

function Dividers({ mensagem, before, unread, today }: DividersProps) {
  const day = dayName(mensagem.timestamp, today)
  return (
    <>
      {(before === undefined || dayName(before.timestamp, today) !== day) && (
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
  readonly before: Mensagem | undefined
  readonly unread: UnreadDivider | null
  /** The last blocks are always rendered. */
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
  const { mensagens, before, unread, recent, onResend, onWhy, onActions } = props
  const measured = useMeasured()
  const today = useToday()
  return (
    <ol
      className="grid gap-2 [contain-intrinsic-size:auto_3000px]"
      style={measured && !recent ? { contentVisibility: 'auto' } : undefined}
    >
      {mensagens.map((mensagem, index) => (
        <Fragment key={mensagem.id}>
          <Dividers
            mensagem={mensagem}
            before={mensagens[index - 1] ?? before}
            unread={mensagem.id === unread?.id ? unread : null}
            today={today}
          />
          <MensagemBubble mensagem={mensagem} onResend={onResend} onWhy={onWhy} onActions={onActions} />
        </Fragment>
      ))}
    </ol>
  )
})
