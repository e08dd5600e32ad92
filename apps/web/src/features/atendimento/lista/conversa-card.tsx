import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import clsx from 'clsx'
import { BellOff, Timer } from 'lucide-react'
import { memo, type MouseEvent } from 'react'
import { formatDate, initialOf } from '#shared/format.ts'
import { useUsuario } from '#shared/session.tsx'
import { SetorNameChip, ConversaStatusChip, hueStyle } from '#features/atendimento/setores/setor-chip.tsx'
import { MIDIA_NAME } from '#features/atendimento/nome-da-midia.ts'
import { useDraft } from '#features/atendimento/envio/drafts.ts'
import { formatWait, minutesSince, type WaitUrgency, waitUrgency, useNow } from './waiting-time.ts'
import { useUnreadCount } from './unread.ts'

const WAIT_COLOR: Readonly<Record<WaitUrgency, string>> = {
  calma: 'text-muted',
  atencao: 'text-warn-ink',
  urgente: 'text-danger-ink',
}

function CardTime({ conversa: { status, aguardandoDesde, ultimaAtividade, finalizadaEm } }: { conversa: Conversa }) {
  const now = useNow()
  if (status === 'finalizada') {
    return <span className="flex-none text-xs text-muted">{formatDate(finalizadaEm ?? ultimaAtividade)}</span>
  }
  if (status === 'em_atendimento') {
    const minutes = minutesSince(ultimaAtividade, now)
    return <span className="flex-none text-xs text-muted">{minutes < 1 ? 'agora' : `há ${formatWait(minutes)}`}</span>
  }
  const wait = minutesSince(aguardandoDesde, now)
  const urgencia = waitUrgency(wait)
  return (
    <span
      data-urgencia={urgencia}
      className={clsx('flex flex-none items-center gap-1 text-xs font-semibold tabular-nums', WAIT_COLOR[urgencia])}
    >
      <Timer aria-hidden className="size-3.5" />
      <span className="sr-only">Espera: </span>
      {formatWait(wait)}
    </span>
  )
}

function CardPreview({ conversa, forte }: { conversa: Conversa; forte: boolean }) {
  const draft = useDraft(conversa.id)
  const { nome: quem } = useUsuario()
  const last = conversa.mensagens.at(-1)
  if (draft.trim() !== '') {
    return (
      <>
        <b className="text-danger-ink">Rascunho:</b> {draft}
      </>
    )
  }
  const ours = last?.tipo === 'enviada'
  const { texto = '' } = conversa.ultimaMensagem ?? {}
  const semTexto = last?.midia === undefined ? 'Mensagem sem texto' : MIDIA_NAME[last.midia.tipo]
  return (
    <span className={forte && !ours ? 'font-semibold text-ink' : undefined}>
      {ours && (last.remetente === quem ? 'Você: ' : `${last.remetente}: `)}
      {texto === '' ? semTexto : texto}
    </span>
  )
}

export interface ConversaCardProps {
  readonly conversa: Conversa
  readonly setor: Pick<Setor, 'nome' | 'cor'>
  readonly open: boolean
  readonly onOpen: (id: string) => void
}

/** A link, so that it also opens in a new window. All cards need the same height: the virtual list multiplies it. */
export const ConversaCard = memo(function CartaoDaConversa({ conversa, setor, open, onOpen }: ConversaCardProps) {
  const { id, cliente, status, teste, operador, pediuParada } = conversa
  const naoLidas = useUnreadCount(conversa)
  const abrir = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onOpen(id)
  }
  return (
    <a
      href={`/dashboard?aba=atendimento&c=${encodeURIComponent(id)}`}
      data-conversa={id}
      aria-current={open || undefined}
      onClick={abrir}
      className="flex gap-3 border-b px-3 py-2.5 -outline-offset-2 hover:bg-sunken aria-[current]:bg-brand-soft"
    >
      <span
        aria-hidden
        style={hueStyle(setor.cor)}
        className="chip relative size-11 flex-none justify-center p-0 text-base"
      >
        {initialOf(cliente.nome)}
        {status === 'aguardando' && (
          <span
            data-ponto
            className="absolute -top-0.5 -right-0.5 size-3 rounded-full border-2 border-surface bg-danger"
          />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center justify-between gap-2">
          <span className="flex min-w-0 items-center gap-1.5">
            <b className="truncate font-bold">{cliente.nome}</b>
            {pediuParada === true && (
              <span title="Pediu PARAR: o bot não envia nada" className="flex-none text-muted">
                <BellOff aria-hidden className="size-3.5" />
                <span className="sr-only">Pediu PARAR</span>
              </span>
            )}
          </span>
          <CardTime conversa={conversa} />
        </span>
        <span className="flex items-center justify-between gap-2 text-sm text-muted">
          <span className="truncate">
            <CardPreview conversa={conversa} forte={naoLidas > 0} />
          </span>
          {naoLidas > 0 && (
            <span className="min-w-5 flex-none rounded-full bg-brand px-1.5 text-center text-xs font-bold text-on-brand tabular-nums">
              {naoLidas > 9 ? '9+' : naoLidas}
              <span className="sr-only">{naoLidas === 1 ? ' não lida' : ' não lidas'}</span>
            </span>
          )}
        </span>
        <span className="mt-1 flex h-6 min-w-0 flex-wrap gap-x-1.5 gap-y-2 overflow-hidden">
          <SetorNameChip setor={setor} />
          <ConversaStatusChip status={status} />
          {teste && <span className="chip">Teste</span>}
          {operador !== undefined && status === 'em_atendimento' && (
            <span className="min-w-0 truncate text-xs leading-5 text-muted">{operador}</span>
          )}
        </span>
      </span>
    </a>
  )
})
