import type { Mensagem } from '@balcao/contract/entities/mensagem'
import clsx from 'clsx'
import { Ban, Check, CheckCheck, CircleAlert, CircleHelp, Clock3, EllipsisVertical, PhoneMissed } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { formatTime } from '#shared/format.ts'
import { MensagemMedia } from '#shared/media/mensagem-media.tsx'
import { textWithLinks } from '#shared/preview/text-with-links.tsx'
import { Spinner } from '#shared/ui/spinner.tsx'
import { hasServiceId } from './use-reactions.ts'

function DeliveryState({ estado }: { estado: Mensagem['estado'] }) {
  switch (estado) {
    case undefined:
      return null
    case 'pendente':
      return <Tick icone={Clock3} diz="Saindo" />
    case 'enviada':
      return <Tick icone={Check} diz="Enviada" />
    case 'entregue':
      return <Tick icone={CheckCheck} diz="Entregue" />
    case 'lida':
      return <Tick icone={CheckCheck} diz="Lida" cor="text-info-ink" />
    case 'falhou':
    case 'limite':
      return <Tick icone={CircleAlert} diz="Não enviada" cor="text-danger-ink" />
  }
}

function Tick({ icone: Icone, diz, cor }: { icone: typeof Check; diz: string; cor?: string }) {
  return (
    <span title={diz} className={cor}>
      <Icone aria-hidden className="size-3.5" />
      <span className="sr-only">{diz}</span>
    </span>
  )
}

export interface MensagemBubbleProps {
  readonly mensagem: Mensagem
  readonly onResend?: ((id: string) => void) | undefined
  /** Upload progress from 0 to 1. */
  readonly progress?: number | undefined
  readonly children?: ReactNode
  /** Absent: the user must not read the AI's reasons. */
  readonly onWhy?: ((id: string) => void) | undefined
  /** Absent: the mensagem cannot be quoted or reacted to. */
  readonly onActions?: ((mensagem: Mensagem, botao: HTMLElement) => void) | undefined
}

function ActionsButton({ mensagem, onActions }: Required<Pick<MensagemBubbleProps, 'mensagem' | 'onActions'>>) {
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-label="Responder ou reagir"
      className={clsx(
        'absolute top-0 grid size-11 place-items-center rounded-full text-muted hover:text-ink focus-visible:opacity-100 group-hover:opacity-100 [@media(hover:hover)]:opacity-0',
        mensagem.tipo === 'enviada' ? 'right-full' : 'left-full',
      )}
      onClick={({ currentTarget }) => onActions?.(mensagem, currentTarget)}
    >
      <EllipsisVertical size={18} aria-hidden />
    </button>
  )
}

function Speaker({ mensagem: { tipo, origem, remetente } }: { mensagem: Mensagem }) {
  if (tipo === 'recebida' || origem === undefined) return <span className="sr-only">{remetente}: </span>
  return (
    <p className="text-[11px] font-semibold text-muted">
      {origem === 'ia' ? 'Assistente de IA' : origem === 'celular' ? 'Pelo celular' : remetente}
      <span className="sr-only">: </span>
    </p>
  )
}

function SendFailure({ mensagem: { id, estado, erro }, onResend }: Pick<MensagemBubbleProps, 'mensagem' | 'onResend'>) {
  const porque =
    estado === 'limite'
      ? 'Não enviada: o limite diário de mensagens acabou antes desta.'
      : 'Esta mensagem não foi enviada.'
  return (
    <div className="mt-1 border-t border-line-strong pt-1 text-sm font-semibold text-danger-ink">
      <p className="first-letter:uppercase">{erro ?? porque}</p>
      {onResend !== undefined && (
        <button type="button" className="min-h-11 rounded underline" onClick={() => onResend(id)}>
          Tentar de novo
        </button>
      )}
    </div>
  )
}

export const MensagemBubble = memo(function Balao({
  mensagem,
  progress: progresso,
  onResend,
  onWhy,
  onActions,
  children,
}: MensagemBubbleProps) {
  const { id, texto, edicao, citada, tipo, timestamp, estado, midia, origem, temporaria = false } = mensagem
  const said = edicao ?? texto
  const nossa = tipo === 'enviada'
  const stopped = children !== undefined && children !== false
  return (
    <li
      data-mensagem={id}
      className={clsx(
        'group relative max-w-[85%] min-w-0 sm:max-w-[min(75%,40rem)]',
        nossa ? 'justify-self-end' : 'justify-self-start',
        temporaria && !stopped && 'opacity-70',
      )}
    >
      <div
        className={clsx(
          'rounded-2xl px-3 py-1.5 text-[0.93rem] leading-[1.4] shadow-card',
          nossa ? 'rounded-br-md bg-bubble' : 'rounded-bl-md bg-surface',
        )}
      >
        <Speaker mensagem={mensagem} />
        {citada !== undefined && (
          <blockquote className="truncate border-l-4 border-brand pl-2 text-sm text-muted">{citada.texto}</blockquote>
        )}
        {midia !== undefined && <MensagemMedia midia={midia} caption={texto} ours={nossa} />}
        {mensagem.apagada === true && (
          <p className="flex items-center gap-1.5 text-sm text-muted italic">
            <Ban size={14} aria-hidden /> {nossa ? 'Apagada no celular' : 'O cliente apagou esta mensagem'}
          </p>
        )}
        {mensagem.ligacao !== undefined && (
          <PhoneMissed size={16} aria-hidden className="mr-1.5 inline text-danger-ink" />
        )}
        {said !== '' && <p className="break-words whitespace-pre-wrap">{textWithLinks(said)}</p>}
        {edicao !== undefined && <s className="break-words text-sm text-muted">{texto}</s>}
        {progresso !== undefined && (
          <progress className="block h-1.5 w-full accent-brand" value={progresso} aria-label="Enviando o arquivo" />
        )}
        <p className="flex items-center justify-end gap-1 text-[11px] text-muted tabular-nums">
          {mensagem.editada === true && <span>editada</span>}
          <time dateTime={timestamp}>{formatTime(timestamp)}</time>
          {!temporaria && nossa && <DeliveryState estado={estado} />}
          {temporaria && !stopped && (
            <>
              <Spinner tamanho={12} />
              <span className="sr-only">Enviando…</span>
            </>
          )}
        </p>
        {(estado === 'falhou' || estado === 'limite') && <SendFailure mensagem={mensagem} onResend={onResend} />}
        {children}
      </div>
      {mensagem.reacoes !== undefined && (
        <p className="relative mx-2 -mt-1.5 w-fit rounded-full border border-line bg-surface px-2 text-sm leading-6 shadow-card">
          <span className="sr-only">Reações: </span>
          {mensagem.reacoes.join(' ')}
        </p>
      )}
      {onActions !== undefined && hasServiceId(mensagem) && <ActionsButton mensagem={mensagem} onActions={onActions} />}
      {origem === 'ia' && onWhy !== undefined && (
        <button
          type="button"
          className="mt-0.5 ml-auto flex min-h-8 items-center gap-1 rounded-full px-2 text-xs font-semibold text-muted underline hover:text-ink"
          onClick={() => onWhy(id)}
        >
          <CircleHelp size={14} aria-hidden /> Por que respondeu isto?
        </button>
      )}
    </li>
  )
})
