import type { Mensagem } from '@balcao/contract/entities/mensagem'
import clsx from 'clsx'
import { Ban, Check, CheckCheck, CircleAlert, Clock3 } from 'lucide-react'
import { memo } from 'react'
import { formatTime } from '#shared/format.ts'
import { MidiaDaMensagem } from '#shared/midia/midia-da-mensagem.tsx'
import { formatar } from '#shared/preview/formatar.tsx'
import { Spinner } from '#shared/ui/spinner.tsx'

/** The tick beside the time, and what it says to who cannot see it. */
function Estado({ estado }: { estado: Mensagem['estado'] }) {
  switch (estado) {
    case undefined:
      return null
    case 'pendente':
      return <Tique icone={Clock3} diz="Saindo" />
    case 'enviada':
      return <Tique icone={Check} diz="Enviada" />
    case 'entregue':
      return <Tique icone={CheckCheck} diz="Entregue" />
    case 'lida':
      return <Tique icone={CheckCheck} diz="Lida" cor="text-info-ink" />
    case 'falhou':
    case 'limite':
      return <Tique icone={CircleAlert} diz="Não enviada" cor="text-danger-ink" />
  }
}

function Tique({ icone: Icone, diz, cor }: { icone: typeof Check; diz: string; cor?: string }) {
  return (
    <span title={diz} className={cor}>
      <Icone aria-hidden className="size-3.5" />
      <span className="sr-only">{diz}</span>
    </span>
  )
}

export interface BalaoProps {
  readonly mensagem: Mensagem
  /** Absent: a failed message cannot be sent again from here. */
  readonly onReenviar?: ((id: string) => void) | undefined
  /** Absent: what the assistant said cannot be explained to who is looking. */
  readonly onPorQue?: ((id: string) => void) | undefined
}

/** Ours at the right, the customer's at the left. */
export const Balao = memo(function Balao({ mensagem, onReenviar }: BalaoProps) {
  const { id, texto, remetente, tipo, timestamp, estado, midia, origem, temporaria = false } = mensagem
  const nossa = tipo === 'enviada'
  const falhou = estado === 'falhou' || estado === 'limite'
  return (
    <li
      data-mensagem={id}
      className={clsx(
        'max-w-[85%] sm:max-w-[75%]',
        nossa ? 'justify-self-end' : 'justify-self-start',
        temporaria && 'opacity-70',
      )}
    >
      <div
        className={clsx(
          'rounded-2xl px-3 py-1.5 text-[0.93rem] leading-[1.4] shadow-card',
          nossa ? 'rounded-br-md bg-bubble' : 'rounded-bl-md bg-surface',
        )}
      >
        {nossa && origem !== undefined ? (
          <p className="text-[11px] font-semibold text-muted">
            {origem === 'ia' ? 'Assistente de IA' : origem === 'celular' ? 'Pelo celular' : remetente}
            <span className="sr-only">: </span>
          </p>
        ) : (
          <span className="sr-only">{remetente}: </span>
        )}
        {midia !== undefined && <MidiaDaMensagem midia={midia} legenda={texto} deMim={nossa} />}
        {mensagem.apagada === true && (
          <p className="flex items-center gap-1.5 text-sm text-muted italic">
            <Ban size={14} aria-hidden /> O cliente apagou esta mensagem
          </p>
        )}
        {texto !== '' && <p className="break-words whitespace-pre-wrap">{formatar(texto)}</p>}
        <p className="flex items-center justify-end gap-1 text-[11px] text-muted tabular-nums">
          {mensagem.editada === true && <span>editada</span>}
          <time dateTime={timestamp}>{formatTime(timestamp)}</time>
          {temporaria ? (
            <>
              <Spinner tamanho={12} />
              <span className="sr-only">Enviando…</span>
            </>
          ) : (
            nossa && <Estado estado={estado} />
          )}
        </p>
        {falhou && (
          <div className="mt-1 border-t border-line-strong pt-1 text-sm font-semibold text-danger-ink">
            <p>
              {mensagem.erro ??
                (estado === 'limite' ? 'Não enviada: o limite diário acabou.' : 'Esta mensagem não foi enviada.')}
            </p>
            {onReenviar !== undefined && (
              <button type="button" className="min-h-11 rounded underline" onClick={() => onReenviar(id)}>
                Tentar de novo
              </button>
            )}
          </div>
        )}
      </div>
    </li>
  )
})
