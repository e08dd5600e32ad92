import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { summarizeMensagem } from '@balcao/contract/text/mensagem-summary'
import clsx from 'clsx'
import {
  Ban,
  Check,
  CheckCheck,
  CircleAlert,
  CircleHelp,
  Clock3,
  EllipsisVertical,
  Forward,
  PhoneMissed,
} from 'lucide-react'
import { lazy, memo, type ReactNode, Suspense, useLayoutEffect, useState } from 'react'
import { sendFailureText } from '#features/atendimento/envio/send-result.ts'
import {
  midiaTypeOf,
  type Outgoing,
  type PendingSend,
  useSend,
  useUploadProgress,
} from '#features/atendimento/envio/use-send.ts'
import { VoiceTranscript } from '#features/atendimento/mensagem/transcript.tsx'
import { formatTime } from '#shared/format.ts'
import { MensagemMedia } from '#shared/media/mensagem-media.tsx'
import { Reactions } from '#shared/preview/reactions.tsx'
import { CustomerText } from '#shared/preview/customer-text.tsx'
import { textWithLinks } from '#shared/preview/text-with-links.tsx'
import { useUsuario } from '#shared/session.tsx'
import { Spinner } from '#shared/ui/spinner.tsx'
import { hasServiceId } from './use-reactions.ts'

const PedidoMensagem = lazy(async () => ({
  default: (await import('#features/atendimento/pedido/pedido-mensagem.tsx')).PedidoMensagem,
}))

interface Delivery {
  readonly icon: typeof Check
  readonly label: string
  readonly color?: string
}

const DELIVERY: Readonly<Record<NonNullable<Mensagem['estado']>, Delivery>> = {
  pendente: { icon: Clock3, label: 'Saindo' },
  enviada: { icon: Check, label: 'Enviada' },
  entregue: { icon: CheckCheck, label: 'Entregue' },
  lida: { icon: CheckCheck, label: 'Lida', color: 'text-info-ink' },
  falhou: { icon: CircleAlert, label: 'Não enviada', color: 'text-danger-ink' },
  limite: { icon: CircleAlert, label: 'Não enviada', color: 'text-danger-ink' },
}

function DeliveryState({ estado }: { estado: Mensagem['estado'] }) {
  if (estado === undefined) return null
  const { icon: Icon, label, color } = DELIVERY[estado]
  return (
    <span title={label} className={color}>
      <Icon aria-hidden className="size-3.5" />
      <span className="sr-only">{label}</span>
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
  /** Absent: the chat is from the device's copy. */
  readonly onActions?: ((mensagem: Mensagem, button: HTMLElement) => void) | undefined
}

function ActionsButton({ mensagem, onActions }: Pick<MensagemBubbleProps, 'mensagem' | 'onActions'>) {
  if (onActions === undefined || !hasServiceId(mensagem)) return null
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-label="Ações da mensagem"
      className={clsx(
        'absolute top-0 grid size-11 place-items-center rounded-full text-muted hover:text-ink focus-visible:opacity-100 group-hover:opacity-100 [@media(hover:hover)]:opacity-0',
        mensagem.tipo === 'enviada' ? 'right-full' : 'left-full',
      )}
      onClick={({ currentTarget }) => onActions(mensagem, currentTarget)}
    >
      <EllipsisVertical size={18} aria-hidden />
    </button>
  )
}

function WhyButton({ mensagem: { id, origem }, onWhy }: Pick<MensagemBubbleProps, 'mensagem' | 'onWhy'>) {
  if (origem !== 'ia' || onWhy === undefined) return null
  return (
    <button
      type="button"
      className="mt-0.5 ml-auto flex min-h-8 items-center gap-1 rounded-full px-2 text-xs font-semibold text-muted underline hover:text-ink"
      onClick={() => onWhy(id)}
    >
      <CircleHelp size={14} aria-hidden /> Por que respondeu isto?
    </button>
  )
}

function Speaker({ mensagem: { tipo, origem, remetente, agenteMeta } }: { mensagem: Mensagem }) {
  if (tipo === 'recebida' || origem === undefined) return <span className="sr-only">{remetente}: </span>
  return (
    <p className="text-[11px] font-semibold text-muted">
      {origem === 'ia' ? 'Assistente de IA' : origem === 'celular' && agenteMeta !== true ? 'Pelo celular' : remetente}
      <span className="sr-only">: </span>
    </p>
  )
}

function SendFailure({ mensagem: { id, estado, erro }, onResend }: Pick<MensagemBubbleProps, 'mensagem' | 'onResend'>) {
  if (estado !== 'falhou' && estado !== 'limite') return null
  const reason =
    estado === 'limite'
      ? 'Não enviada: o limite diário de mensagens acabou antes desta.'
      : 'Esta mensagem não foi enviada.'
  return (
    <div className="mt-1 border-t border-line-strong pt-1 text-sm font-semibold text-danger-ink">
      <p className="first-letter:uppercase">{erro ?? reason}</p>
      {onResend !== undefined && (
        <button type="button" className="min-h-11 rounded underline" onClick={() => onResend(id)}>
          Tentar de novo
        </button>
      )}
    </div>
  )
}

function BubbleContent({ mensagem }: { mensagem: Mensagem }) {
  const { texto, edicao, citada, encaminhada, midia, tipo, origem, apagada, ligacao, transcricao } = mensagem
  const shown = edicao ?? texto
  const ours = tipo === 'enviada'
  return (
    <>
      {encaminhada === true && (
        <p className="flex items-center gap-1 text-xs text-muted italic">
          <Forward size={13} aria-hidden /> Encaminhada
        </p>
      )}
      {citada !== undefined && (
        <blockquote className="truncate border-l-4 border-brand pl-2 text-sm text-muted">{citada.texto}</blockquote>
      )}
      {midia !== undefined && <MensagemMedia midia={midia} caption={texto} ours={ours} />}
      {transcricao !== undefined && <VoiceTranscript transcricao={transcricao} />}
      {apagada === true && (
        <p className="flex items-center gap-1.5 text-sm text-muted italic">
          <Ban size={14} aria-hidden />{' '}
          {!ours
            ? 'O cliente apagou esta mensagem'
            : origem === 'operador'
              ? 'Apagada para todos'
              : 'Apagada no celular'}
        </p>
      )}
      {ligacao !== undefined && <PhoneMissed size={16} aria-hidden className="mr-1.5 inline text-danger-ink" />}
      {shown !== '' && <CustomerText text={shown} format={textWithLinks} className="break-words whitespace-pre-wrap" />}
      {edicao !== undefined && (
        <CustomerText text={texto} as="s" format={String} className="break-words text-sm text-muted" />
      )}
    </>
  )
}

function BubbleFooter({ mensagem, sending }: { mensagem: Mensagem; sending: boolean }) {
  const { editada, timestamp, temporaria = false, tipo, estado } = mensagem
  return (
    <p className="flex items-center justify-end gap-1 text-[11px] text-muted tabular-nums">
      {editada === true && <span>editada</span>}
      <time dateTime={timestamp}>{formatTime(timestamp)}</time>
      {!temporaria && tipo === 'enviada' && <DeliveryState estado={estado} />}
      {sending && (
        <>
          <Spinner tamanho={12} />
          <span className="sr-only">Enviando…</span>
        </>
      )}
    </p>
  )
}

export const MensagemBubble = memo(function MensagemBubble(props: MensagemBubbleProps) {
  const { mensagem, progress, onResend, onWhy, onActions, children } = props
  const { id, tipo, reacoes, pedidoId } = mensagem
  const ours = tipo === 'enviada'
  const failed = children !== undefined && children !== false
  const sending = mensagem.temporaria === true && !failed
  return (
    <li
      data-mensagem={id}
      className={clsx(
        'group relative max-w-[85%] min-w-0 sm:max-w-[min(75%,40rem)]',
        ours ? 'justify-self-end' : 'justify-self-start',
        sending && 'opacity-70',
      )}
    >
      <div
        className={clsx(
          'rounded-2xl px-3 py-1.5 text-[0.93rem] leading-[1.4] shadow-card',
          ours ? 'rounded-br-md bg-bubble' : 'rounded-bl-md bg-surface',
        )}
      >
        <Speaker mensagem={mensagem} />
        <BubbleContent mensagem={mensagem} />
        {pedidoId !== undefined && (
          <Suspense>
            <PedidoMensagem id={pedidoId} />
          </Suspense>
        )}
        {progress !== undefined && (
          <progress className="block h-1.5 w-full accent-brand" value={progress} aria-label="Enviando o arquivo" />
        )}
        <BubbleFooter mensagem={mensagem} sending={sending} />
        <SendFailure mensagem={mensagem} onResend={onResend} />
        {children}
      </div>
      {reacoes !== undefined && <Reactions reacoes={reacoes} />}
      <ActionsButton mensagem={mensagem} onActions={onActions} />
      <WhyButton mensagem={mensagem} onWhy={onWhy} />
    </li>
  )
})

/** Object URL of the file while the component is mounted. Null before the first layout effect and without a file. */
function useFileUrl(file: File | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useLayoutEffect(() => {
    if (file === undefined) return
    const fresh = URL.createObjectURL(file)
    // oxlint-disable-next-line react/set-state-in-effect -- the effect that creates the URL also revokes it
    setUrl(fresh)
    return () => URL.revokeObjectURL(fresh)
  }, [file])
  return url
}

/** Text of a quotation, cut at 300 characters like the server's (`QUOTE_MAX`). */
export function quotedLine({ texto, edicao = texto, midia }: Mensagem): string {
  return summarizeMensagem({ texto: edicao.slice(0, 300), ...(midia === undefined ? {} : { midia }) })
}

function previewOf({ id, texto, timestamp, citada, file }: Outgoing, remetente: string, url: string | null): Mensagem {
  const preview: Mensagem = { id, texto, remetente, timestamp, tipo: 'enviada', temporaria: true }
  return {
    ...preview,
    ...(citada === null ? {} : { citada: { texto: quotedLine(citada), nossa: citada.tipo === 'enviada' } }),
    ...(file === undefined || url === null
      ? {}
      : {
          midia: { tipo: midiaTypeOf(file), url, nomeArquivo: file.name, mimeType: file.type, tamanhoBytes: file.size },
        }),
  }
}

const RETRY_CLASS = 'min-h-11 rounded underline'

export function PendingBubble({ conversaId, pending }: { conversaId: string; pending: PendingSend }) {
  const { message, running, error } = pending
  const { nome } = useUsuario()
  const { retry, discard } = useSend(conversaId)
  const progress = useUploadProgress(message.id)
  const url = useFileUrl(message.file)
  const isFile = message.file !== undefined
  if (isFile && url === null) return null
  return (
    <MensagemBubble mensagem={previewOf(message, nome, url)} progress={isFile && running ? progress : undefined}>
      {error !== null && (
        <div className="mt-1 border-t border-line-strong pt-1 text-sm font-semibold text-danger-ink">
          <p className="whitespace-pre-line">{sendFailureText(error)}</p>
          <span className="flex gap-4">
            <button type="button" className={RETRY_CLASS} onClick={() => retry(message)}>
              Tentar de novo
            </button>
            <button type="button" className={RETRY_CLASS} onClick={() => discard(message)}>
              Descartar
            </button>
          </span>
        </div>
      )}
    </MensagemBubble>
  )
}
