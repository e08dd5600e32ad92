import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { parseStatusBot } from '@balcao/contract/bot-status'
import { Play, Square } from 'lucide-react'
import type { ReactNode } from 'react'
import { BOT_STATUS_LABELS } from '#shared/data/status-labels.ts'
import { statusTone } from '#shared/data/status-tone.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { explainStatus, UNKNOWN_STATUS } from './bot-steps.ts'
import { StepLine } from './step-line.tsx'

function StatusLabel({ valor }: { valor: string }) {
  const status = parseStatusBot(valor)
  return <Chip tone={statusTone(valor)}>{status === null ? 'Desconhecido' : BOT_STATUS_LABELS[status]}</Chip>
}

export interface BotStatusCardProps {
  readonly bot: BotStatus
  /** False until the server has reported a status. */
  readonly known: boolean
  readonly hasClientId: boolean
  readonly online: boolean
  readonly busy: boolean
  readonly onStart: () => void
  readonly onStop: () => void
  readonly children?: ReactNode
}

/** While online, `PARADO` is shown as being verified, all other states as in sync. */
function syncHint(status: string, online: boolean): string | null {
  if (!online) return null
  return parseStatusBot(status) === 'PARADO' ? 'Status sendo verificado' : 'Sincronizado'
}

export function BotStatusCard(props: BotStatusCardProps) {
  const { bot, known, hasClientId, online, busy, onStart, onStop, children } = props
  const running = bot.isRunning || bot.inicializado
  const { text, fix } = known ? explainStatus(bot.status, bot.motivo) : UNKNOWN_STATUS
  const hint = syncHint(bot.status, online)
  return (
    <section aria-labelledby="status-do-bot" className="card flex flex-col p-4 sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="status-do-bot" tabIndex={-1} className="text-lg font-bold">
          Status do Bot
        </h2>
        <StatusLabel valor={bot.status} />
      </div>
      <div className="mt-5">
        <StepLine status={bot.status} />
      </div>
      <div className="mt-5 text-sm" role="status">
        <p className="text-muted">{text}</p>
        {fix !== undefined && <p className="mt-1.5 font-semibold">{fix}</p>}
      </div>
      {children !== undefined && <div className="mt-4 grid gap-3">{children}</div>}
      <div className="mt-5 flex flex-wrap items-center gap-3">
        {running ? (
          <Button variant="danger" busy={busy} onClick={onStop}>
            {!busy && <Square aria-hidden className="size-4" />} Parar bot
          </Button>
        ) : (
          <Button
            variant="primary"
            busy={busy}
            disabled={!hasClientId}
            aria-describedby={hasClientId ? undefined : 'por-que-nao-inicia'}
            onClick={onStart}
          >
            {!busy && <Play aria-hidden className="size-4" />} Iniciar bot
          </Button>
        )}
        {!running && !hasClientId && (
          <p id="por-que-nao-inicia" className="text-sm text-muted">
            Informe o Client ID e salve para poder iniciar.
          </p>
        )}
        {hint !== null && <p className="ml-auto text-xs text-muted">{hint}</p>}
      </div>
    </section>
  )
}
