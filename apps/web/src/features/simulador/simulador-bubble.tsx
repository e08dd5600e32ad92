import type { Midia } from '@balcao/contract/entities/mensagem'
import type { MensagemSimulada } from '@balcao/contract/entities/simulador'
import { Link } from '@tanstack/react-router'
import clsx from 'clsx'
import { CircleAlert, Clock3 } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatTime } from '#shared/format.ts'
import { MensagemMedia } from '#shared/media/mensagem-media.tsx'
import { Reactions } from '#shared/preview/reactions.tsx'
import { CustomerText } from '#shared/preview/customer-text.tsx'
import type { SimuladorPending } from './use-simulador-chat.ts'

export interface SimuladorBubbleProps {
  readonly fromCompany: boolean
  readonly sender: string
  readonly texto: string
  readonly midia?: Midia | undefined
  readonly citada?: MensagemSimulada['citada']
  readonly reacoes?: MensagemSimulada['reacoes']
  readonly children: ReactNode
}

function SimuladorBubble({ fromCompany, sender, texto, midia, citada, reacoes, children }: SimuladorBubbleProps) {
  return (
    <li className={clsx('rise max-w-[85%]', fromCompany ? 'justify-self-start' : 'justify-self-end')}>
      <div
        className={clsx(
          'rounded-2xl px-3 py-2 text-[0.93rem] leading-[1.4] shadow-card',
          fromCompany ? 'rounded-tl-md bg-surface' : 'rounded-tr-md bg-bubble',
        )}
      >
        <span className="sr-only">{sender}: </span>
        {citada !== undefined && (
          <blockquote className="truncate border-l-4 border-brand pl-2 text-sm text-muted">{citada.texto}</blockquote>
        )}
        {midia !== undefined && <MensagemMedia midia={midia} caption={texto} ours={!fromCompany} />}
        {texto !== '' && <CustomerText text={texto} className="break-words whitespace-pre-wrap" />}
        {children}
      </div>
      {reacoes !== undefined && <Reactions reacoes={reacoes} />}
    </li>
  )
}

export function StoredSimuladorBubble({
  timestamp,
  ...bubble
}: Omit<SimuladorBubbleProps, 'children'> & { timestamp: string }) {
  return (
    <SimuladorBubble {...bubble}>
      <time dateTime={timestamp} className="mt-0.5 block text-right text-[11px] text-muted tabular-nums">
        {formatTime(timestamp)}
      </time>
    </SimuladorBubble>
  )
}

export function PendingSimuladorBubble({ pending, onResend }: { pending: SimuladorPending; onResend: () => void }) {
  const { texto, midia, deMim, failure, cliente } = pending
  return (
    <SimuladorBubble fromCompany={deMim} sender={deMim ? 'Empresa' : cliente.nome} texto={texto} midia={midia}>
      {failure === null ? (
        <p className="mt-0.5 flex items-center justify-end gap-1 text-[11px] text-muted">
          <Clock3 size={12} aria-hidden /> Enviando…
        </p>
      ) : (
        <div role="alert" className="mt-1 border-t border-line-strong pt-1 text-sm font-semibold text-danger-ink">
          <p className="flex items-start gap-1.5">
            <CircleAlert size={16} aria-hidden className="mt-0.5 flex-none" /> {failure.sentence}
          </p>
          <p className="mt-1 flex flex-wrap gap-x-4">
            <button type="button" onClick={onResend} className="min-h-8 rounded underline">
              Tentar de novo
            </button>
            {failure.botOffline && (
              <Link to="/dashboard" search={{ aba: 'geral' }} className="inline-flex min-h-8 items-center underline">
                Abrir a aba Geral
              </Link>
            )}
          </p>
        </div>
      )}
    </SimuladorBubble>
  )
}
