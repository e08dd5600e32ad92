import { NOME_DA_MIDIA } from '@balcao/contract/text/mensagem-summary'
import type { Conversa, StatusConversa } from '@balcao/contract/entities/conversa'
import clsx from 'clsx'
import { AlarmClock, BellOff, Check, Hourglass, type LucideIcon, MessagesSquare, Pin, Timer } from 'lucide-react'
import { lazy, memo, type MouseEvent, Suspense } from 'react'
import { useColleagueTyping } from '#features/atendimento/conversa/typing.ts'
import { useDraft } from '#features/atendimento/envio/drafts.ts'
import type { SetorLook } from '#features/atendimento/setores/use-setores.ts'
import { formatDate, formatTime, initialOf } from '#shared/format.ts'
import type { LinhaLook } from '#shared/conta/linha-look.ts'
import { LinhaMark } from '#shared/conta/linha-mark.tsx'
import { useUsuario } from '#shared/session.tsx'
import { Chip, type ChipTone } from '#shared/ui/chip.tsx'
import { hueStyle, SetorDot } from '#shared/ui/setor-chip.tsx'
import { CONVERSA_STATUS_LABEL } from './filters.ts'
import { unreadCount } from './reading.ts'
import { formatWait, minutesSince, type WaitUrgency, waitUrgency, useNow } from './waiting-time.ts'

// Lazy: the row has its height without them, so their late arrival moves nothing.
const CardDetails = lazy(async () => ({ default: (await import('./card-details.tsx')).CardDetails }))

const STATUS_LOOK: Readonly<Record<StatusConversa, { readonly tone: ChipTone; readonly icon: LucideIcon }>> = {
  aguardando: { tone: 'amarelo', icon: Hourglass },
  em_atendimento: { tone: 'azul', icon: MessagesSquare },
  finalizada: { tone: 'verde', icon: Check },
}

/** A round chip with an icon. A setor has a dot, an etiqueta is angular. */
export function ConversaStatusChip({ conversa: { status, agenteMeta } }: { conversa: Conversa }) {
  if (agenteMeta === true) {
    return (
      <Chip tone="roxo">
        <span className="sr-only">Atendida pelo </span>Agente da Meta
      </Chip>
    )
  }
  const { tone, icon: Icon } = STATUS_LOOK[status]
  return (
    <Chip tone={tone}>
      <Icon aria-hidden className="size-3 flex-none" />
      {CONVERSA_STATUS_LABEL[status]}
    </Chip>
  )
}

const WAIT_COLOR: Readonly<Record<WaitUrgency, string>> = {
  calma: 'text-muted',
  atencao: 'text-warn-ink',
  urgente: 'text-danger-ink',
}

function CardTime({ conversa: { status, aguardandoDesde, ultimaAtividade, finalizadaEm } }: { conversa: Conversa }) {
  const now = useNow()
  if (status === 'finalizada') {
    const ended = finalizadaEm ?? ultimaAtividade
    const today = formatDate(ended) === formatDate(now)
    return <span className="flex-none text-xs text-muted">{today ? formatTime(ended) : formatDate(ended)}</span>
  }
  if (status === 'em_atendimento') {
    const minutes = minutesSince(ultimaAtividade, now)
    return <span className="flex-none text-xs text-muted">{minutes < 1 ? 'agora' : `há ${formatWait(minutes)}`}</span>
  }
  const wait = minutesSince(aguardandoDesde, now)
  const urgency = waitUrgency(wait)
  return (
    <span
      data-urgencia={urgency}
      className={clsx('flex flex-none items-center gap-1 text-xs font-semibold tabular-nums', WAIT_COLOR[urgency])}
    >
      <Timer aria-hidden className="size-3.5" />
      <span className="sr-only">Espera: </span>
      {formatWait(wait)}
    </span>
  )
}

/** The customer wrote last, read or not. A waiting row shows its wait beside the name. */
function Unanswered({ since }: { since: string }) {
  const minutes = minutesSince(since, useNow())
  const urgency = waitUrgency(minutes)
  return (
    <span data-sem-resposta={urgency} className={clsx('flex-none font-semibold tabular-nums', WAIT_COLOR[urgency])}>
      Sem resposta {minutes < 1 ? 'agora' : `há ${formatWait(minutes)}`}
    </span>
  )
}

/** `shownState`: the state of all rows of the list, which its rows do not repeat. */
function CardFacts({ conversa, setor, shownState }: Pick<ConversaCardProps, 'conversa' | 'setor' | 'shownState'>) {
  const { status, teste, operador, operadorId, semRespostaDesde, agenteMeta } = conversa
  const { id: myId } = useUsuario()
  const served = status === 'em_atendimento'
  const unanswered = served && semRespostaDesde !== undefined
  const mine = operadorId === myId
  return (
    <>
      {unanswered && <Unanswered since={semRespostaDesde} />}
      <span className="flex min-w-0 items-center gap-1 text-muted">
        <SetorDot cor={setor.cor} className="size-2 flex-none" />
        <span className="truncate">{setor.nome}</span>
      </span>
      {(agenteMeta === true || (!unanswered && status !== shownState)) && <ConversaStatusChip conversa={conversa} />}
      {teste && <span className="chip">Teste</span>}
      {operador !== undefined && served && !(mine && shownState === 'em_atendimento') && (
        <span className="min-w-0 truncate text-muted">{mine ? 'Você' : operador}</span>
      )}
      <Suspense>
        <CardDetails conversa={conversa} />
      </Suspense>
    </>
  )
}

/** More than the widest card shows. A customer may send 65,536 characters. */
const LINE_MAX = 200

function LastMensagem({ conversa, strong }: { conversa: Conversa; strong: boolean }) {
  const { nome: myName } = useUsuario()
  const last = conversa.mensagens.at(-1)
  const ours = last?.tipo === 'enviada'
  const { texto = '' } = conversa.ultimaMensagem ?? {}
  const withoutText = last?.midia === undefined ? 'Mensagem sem texto' : NOME_DA_MIDIA[last.midia.tipo]
  return (
    <span className={strong && !ours ? 'font-semibold text-ink' : undefined}>
      {ours && (last.remetente === myName ? 'Você: ' : `${last.remetente}: `)}
      {texto === '' ? withoutText : texto.slice(0, LINE_MAX)}
    </span>
  )
}

function CardPreview({ conversa, strong }: { conversa: Conversa; strong: boolean }) {
  const draft = useDraft(conversa.id)
  const colleague = useColleagueTyping(conversa.id)
  if (draft.trim() !== '') {
    return (
      <>
        <b className="text-danger-ink">Rascunho:</b> {draft}
      </>
    )
  }
  const { status, nota } = conversa
  // A reopened conversa keeps the rating of its first end.
  if (status === 'finalizada' && nota !== undefined) {
    return (
      <span role="img" aria-label={`Nota ${nota} de 5`} className="text-warn-ink">
        {'★'.repeat(nota)}
        {'☆'.repeat(5 - nota)}
      </span>
    )
  }
  if (colleague !== undefined) return <i>{colleague} está escrevendo…</i>
  return <LastMensagem conversa={conversa} strong={strong} />
}

function CardAvatar({ conversa: { cliente, status }, setor }: Pick<ConversaCardProps, 'conversa' | 'setor'>) {
  return (
    <span
      aria-hidden
      style={hueStyle(setor.cor)}
      className="chip relative size-10 flex-none justify-center p-0 text-base"
    >
      {initialOf(cliente.nome)}
      {status === 'aguardando' && (
        <span
          data-ponto
          className="absolute -top-0.5 -right-0.5 size-3 rounded-full border-2 border-surface bg-danger"
        />
      )}
    </span>
  )
}

function CardTitle({ conversa }: { conversa: Conversa }) {
  return (
    <span className="flex items-center justify-between gap-2 leading-5">
      <span className="flex min-w-0 items-center gap-1.5">
        <b className="truncate font-bold">{conversa.cliente.nome}</b>
        {conversa.minha?.fixada === true && (
          <span title="Fixada no topo" className="flex-none text-muted">
            <Pin aria-hidden className="size-3.5" />
            <span className="sr-only">Fixada no topo</span>
          </span>
        )}
        {conversa.minha?.lembrarEm !== undefined && (
          <span title="Com lembrete" className="flex-none text-muted">
            <AlarmClock aria-hidden className="size-3.5" />
            <span className="sr-only">Com lembrete</span>
          </span>
        )}
        {conversa.pediuParada === true && (
          <span title="Pediu PARAR: o bot não envia nada" className="flex-none text-muted">
            <BellOff aria-hidden className="size-3.5" />
            <span className="sr-only">Pediu PARAR</span>
          </span>
        )}
      </span>
      <CardTime conversa={conversa} />
    </span>
  )
}

function UnreadBadge({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className="min-w-5 flex-none rounded-full bg-brand px-1.5 text-center text-xs font-bold text-on-brand tabular-nums">
      {count > 9 ? '9+' : count}
      <span className="sr-only">{count === 1 ? ' não lida' : ' não lidas'}</span>
    </span>
  )
}

export interface ConversaCardProps {
  readonly conversa: Conversa
  readonly setor: SetorLook
  /** Undefined while the account has one line. */
  readonly linha: LinhaLook | undefined
  readonly open: boolean
  readonly shownState: StatusConversa | undefined
  readonly onOpen: (id: string) => void
}

/** A link, so that it also opens in a new window. All cards need the same height: the virtual list multiplies it. */
export const ConversaCard = memo(function ConversaCard({
  conversa,
  setor,
  linha,
  open,
  shownState,
  onOpen,
}: ConversaCardProps) {
  const { id } = conversa
  const unread = unreadCount(conversa)
  const onClick = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onOpen(id)
  }
  return (
    <a
      href={`/dashboard?aba=atendimento&c=${encodeURIComponent(id)}`}
      data-conversa={id}
      aria-current={open || undefined}
      onClick={onClick}
      className="flex items-center gap-2.5 border-b px-3 py-1 -outline-offset-2 hover:bg-sunken aria-[current]:bg-brand-soft"
    >
      <CardAvatar conversa={conversa} setor={setor} />
      <span className="min-w-0 flex-1">
        <CardTitle conversa={conversa} />
        <span className="flex items-center justify-between gap-2 text-sm leading-5 text-muted">
          <span className="min-w-0 flex-1 truncate">
            <CardPreview conversa={conversa} strong={unread > 0} />
          </span>
          {linha !== undefined && <LinhaMark linha={linha} className="max-w-28 flex-none text-xs" />}
          <UnreadBadge count={unread} />
        </span>
        <span className="mt-0.5 flex h-4.5 min-w-0 flex-wrap gap-x-1 gap-y-2 overflow-hidden text-xs leading-4.5 [&_.chip]:px-1.5 [&_.chip]:py-0 [&_.chip]:text-[0.7rem]">
          <CardFacts {...{ conversa, setor, shownState }} />
        </span>
      </span>
    </a>
  )
})
