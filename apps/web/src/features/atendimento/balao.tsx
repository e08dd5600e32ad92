import type { Mensagem } from '@balcao/contract/entities/mensagem'
import clsx from 'clsx'
import { Ban, Check, CheckCheck, CircleAlert, CircleHelp, Clock3, EllipsisVertical, PhoneMissed } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { formatTime } from '#shared/format.ts'
import { MidiaDaMensagem } from '#shared/midia/midia-da-mensagem.tsx'
import { comLinks } from '#shared/preview/com-links.tsx'
import { Spinner } from '#shared/ui/spinner.tsx'
import { alcancavel } from './use-marcas.ts'

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
  readonly onReenviar?: ((id: string) => void) | undefined
  /** Upload progress from 0 to 1. */
  readonly progresso?: number | undefined
  readonly children?: ReactNode
  /** Absent: the user must not read the AI's reasons. */
  readonly onPorQue?: ((id: string) => void) | undefined
  /** Absent: the mensagem cannot be quoted or reacted to. */
  readonly onAcoes?: ((mensagem: Mensagem, botao: HTMLElement) => void) | undefined
}

function BotaoDeAcoes({ mensagem, onAcoes }: Required<Pick<BalaoProps, 'mensagem' | 'onAcoes'>>) {
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-label="Responder ou reagir"
      className={clsx(
        'absolute top-0 grid size-11 place-items-center rounded-full text-muted hover:text-ink focus-visible:opacity-100 group-hover:opacity-100 [@media(hover:hover)]:opacity-0',
        mensagem.tipo === 'enviada' ? 'right-full' : 'left-full',
      )}
      onClick={({ currentTarget }) => onAcoes?.(mensagem, currentTarget)}
    >
      <EllipsisVertical size={18} aria-hidden />
    </button>
  )
}

function QuemFalou({ mensagem: { tipo, origem, remetente } }: { mensagem: Mensagem }) {
  if (tipo === 'recebida' || origem === undefined) return <span className="sr-only">{remetente}: </span>
  return (
    <p className="text-[11px] font-semibold text-muted">
      {origem === 'ia' ? 'Assistente de IA' : origem === 'celular' ? 'Pelo celular' : remetente}
      <span className="sr-only">: </span>
    </p>
  )
}

function Falha({ mensagem: { id, estado, erro }, onReenviar }: Pick<BalaoProps, 'mensagem' | 'onReenviar'>) {
  const porque =
    estado === 'limite'
      ? 'Não enviada: o limite diário de mensagens acabou antes desta.'
      : 'Esta mensagem não foi enviada.'
  return (
    <div className="mt-1 border-t border-line-strong pt-1 text-sm font-semibold text-danger-ink">
      <p className="first-letter:uppercase">{erro ?? porque}</p>
      {onReenviar !== undefined && (
        <button type="button" className="min-h-11 rounded underline" onClick={() => onReenviar(id)}>
          Tentar de novo
        </button>
      )}
    </div>
  )
}

export const Balao = memo(function Balao({ mensagem, progresso, onReenviar, onPorQue, onAcoes, children }: BalaoProps) {
  const { id, texto, edicao, citada, tipo, timestamp, estado, midia, origem, temporaria = false } = mensagem
  const dito = edicao ?? texto
  const nossa = tipo === 'enviada'
  const parada = children !== undefined && children !== false
  return (
    <li
      data-mensagem={id}
      className={clsx(
        'group relative max-w-[85%] min-w-0 sm:max-w-[min(75%,40rem)]',
        nossa ? 'justify-self-end' : 'justify-self-start',
        temporaria && !parada && 'opacity-70',
      )}
    >
      <div
        className={clsx(
          'rounded-2xl px-3 py-1.5 text-[0.93rem] leading-[1.4] shadow-card',
          nossa ? 'rounded-br-md bg-bubble' : 'rounded-bl-md bg-surface',
        )}
      >
        <QuemFalou mensagem={mensagem} />
        {citada !== undefined && (
          <blockquote className="truncate border-l-4 border-brand pl-2 text-sm text-muted">{citada.texto}</blockquote>
        )}
        {midia !== undefined && <MidiaDaMensagem midia={midia} legenda={texto} deMim={nossa} />}
        {mensagem.apagada === true && (
          <p className="flex items-center gap-1.5 text-sm text-muted italic">
            <Ban size={14} aria-hidden /> {nossa ? 'Apagada no celular' : 'O cliente apagou esta mensagem'}
          </p>
        )}
        {mensagem.ligacao !== undefined && (
          <PhoneMissed size={16} aria-hidden className="mr-1.5 inline text-danger-ink" />
        )}
        {dito !== '' && <p className="break-words whitespace-pre-wrap">{comLinks(dito)}</p>}
        {edicao !== undefined && <s className="break-words text-sm text-muted">{texto}</s>}
        {progresso !== undefined && (
          <progress className="block h-1.5 w-full accent-brand" value={progresso} aria-label="Enviando o arquivo" />
        )}
        <p className="flex items-center justify-end gap-1 text-[11px] text-muted tabular-nums">
          {mensagem.editada === true && <span>editada</span>}
          <time dateTime={timestamp}>{formatTime(timestamp)}</time>
          {!temporaria && nossa && <Estado estado={estado} />}
          {temporaria && !parada && (
            <>
              <Spinner tamanho={12} />
              <span className="sr-only">Enviando…</span>
            </>
          )}
        </p>
        {(estado === 'falhou' || estado === 'limite') && <Falha mensagem={mensagem} onReenviar={onReenviar} />}
        {children}
      </div>
      {mensagem.reacoes !== undefined && (
        <p className="relative mx-2 -mt-1.5 w-fit rounded-full border border-line bg-surface px-2 text-sm leading-6 shadow-card">
          <span className="sr-only">Reações: </span>
          {mensagem.reacoes.join(' ')}
        </p>
      )}
      {onAcoes !== undefined && alcancavel(mensagem) && <BotaoDeAcoes mensagem={mensagem} onAcoes={onAcoes} />}
      {origem === 'ia' && onPorQue !== undefined && (
        <button
          type="button"
          className="mt-0.5 ml-auto flex min-h-8 items-center gap-1 rounded-full px-2 text-xs font-semibold text-muted underline hover:text-ink"
          onClick={() => onPorQue(id)}
        >
          <CircleHelp size={14} aria-hidden /> Por que respondeu isto?
        </button>
      )}
    </li>
  )
})
