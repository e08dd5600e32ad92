import type { Agendada } from '@balcao/contract/entities/agendada'
import { CalendarClock, CalendarX, X } from 'lucide-react'
import { useState } from 'react'
import { useNow } from '#features/atendimento/lista/waiting-time.ts'
import { useAgendadas } from '#shared/data/contatos/agendadas.ts'
import { formatDateTime } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { AGENDADA_REASONS, AGENDADA_STATES, stripOf, useCancelAgendada } from './agendada-state.ts'
import { formatSendTime } from './schedule-time.ts'

const STORAGE_KEY = 'agendadas-vistas'
const REMEMBERED = 50
const NONE: readonly Agendada[] = []

function useDismissed(): readonly [readonly string[], (id: string) => void] {
  const [ids, setIds] = useState(() => sessionStorage.getItem(STORAGE_KEY)?.split(' ') ?? [])
  const dismiss = (id: string): void => {
    const next = [...ids, id].slice(-REMEMBERED)
    sessionStorage.setItem(STORAGE_KEY, next.join(' '))
    setIds(next)
  }
  return [ids, dismiss]
}

function CancelButton({ agendada }: { readonly agendada: Agendada }) {
  const { mutate, isPending } = useCancelAgendada(agendada)
  return (
    <Button size="sm" className="flex-none max-lg:min-h-11" busy={isPending} onClick={() => mutate()}>
      Cancelar <span className="sr-only">envio de {formatDateTime(agendada.enviarEm)}</span>
    </Button>
  )
}

interface StripRowProps {
  readonly agendada: Agendada
  readonly now: number
  readonly onDismiss: (id: string) => void
}

function StripRow({ agendada, now, onDismiss }: StripRowProps) {
  const { id, mensagem, enviarEm, autor, estado, motivo } = agendada
  const waits = estado === 'marcada'
  const Icon = waits ? CalendarClock : CalendarX
  return (
    <li className="flex min-h-9 items-center gap-2 text-sm">
      <Icon aria-hidden className={`size-4 flex-none ${estado === 'falhou' ? 'text-danger-ink' : 'text-muted'}`} />
      <p className="min-w-0 flex-1 leading-5">
        <span className="block truncate">
          <b className="font-semibold tabular-nums">{formatSendTime(enviarEm, now)}</b>
          <span className="text-muted"> · {autor}</span>
        </span>
        <span className="line-clamp-1 wrap-anywhere">{mensagem}</span>
        {!waits && (
          <span role="status" className={estado === 'falhou' ? 'font-semibold text-danger-ink' : 'text-muted'}>
            {AGENDADA_STATES[estado].label}
            {motivo !== undefined && `. ${AGENDADA_REASONS[motivo]}`}
          </span>
        )}
      </p>
      {waits ? (
        <CancelButton agendada={agendada} />
      ) : (
        <IconButton
          label="Dispensar"
          size="touch"
          className="flex-none lg:min-h-9"
          icon={<X size={16} aria-hidden />}
          onClick={() => onDismiss(id)}
        />
      )}
    </li>
  )
}

function Failure({ retry }: { readonly retry: () => void }) {
  return (
    <p role="status" className="border-t bg-warn-soft px-3 py-1 text-sm font-semibold text-warn-ink">
      A lista de mensagens agendadas não abriu. Elas saem no horário.{' '}
      <button type="button" className="min-h-8 underline" onClick={retry}>
        Tentar de novo
      </button>
    </p>
  )
}

export function AgendadaStrip({ conversaId }: { readonly conversaId: string }) {
  const { data, isError, refetch } = useAgendadas(conversaId)
  const [dismissed, dismiss] = useDismissed()
  const [open, setOpen] = useState(false)
  const now = useNow()
  const shown = stripOf(data ?? NONE, dismissed, now)
  if (data === undefined && isError) return <Failure retry={() => void refetch()} />
  if (shown.length === 0) return null
  const others = shown.length - 1
  return (
    <section
      aria-label="Mensagens agendadas"
      className="flex flex-none flex-wrap items-start gap-x-2 border-t bg-surface px-3 py-0.5"
    >
      <ul className="max-h-40 min-w-0 flex-1 basis-56 overflow-y-auto">
        {(open ? shown : shown.slice(0, 1)).map((agendada) => (
          <StripRow key={agendada.id} agendada={agendada} now={now} onDismiss={dismiss} />
        ))}
      </ul>
      {others > 0 && (
        <button
          type="button"
          aria-expanded={open}
          className="min-h-11 flex-none rounded-lg px-2 text-sm font-semibold text-brand-ink hover:bg-sunken lg:min-h-9"
          onClick={() => setOpen(!open)}
        >
          {open ? 'Mostrar só uma' : `Mais ${others}`}
        </button>
      )}
    </section>
  )
}
