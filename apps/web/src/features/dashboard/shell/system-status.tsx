import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { parseStatusBot } from '@balcao/contract/bot-status'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { BOT_STATUS_LABELS } from '#shared/data/status-labels.ts'
import { type StatusTone, statusTone } from '#shared/data/status-tone.ts'

const STATUS_COLOR: Readonly<Record<StatusTone, string>> = {
  verde: 'bg-brand',
  amarelo: 'bg-ipe',
  vermelho: 'bg-danger',
  cinza: 'bg-line-strong',
}

function StatusRow({ nome, cor, children }: { nome: string; cor?: StatusTone; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-3 py-0.5">
      <dt className="text-muted">{nome}</dt>
      <dd className="flex min-w-0 items-center gap-2 font-semibold">
        {cor !== undefined && <span aria-hidden className={`size-2 flex-none rounded-full ${STATUS_COLOR[cor]}`} />}
        <span className="truncate">{children}</span>
      </dd>
    </div>
  )
}

export function SystemStatus({ bot, online }: { bot: BotStatus; online: boolean }) {
  const status = parseStatusBot(bot.status)
  return (
    <details open className="group px-2 text-sm">
      <summary className="flex min-h-8 cursor-pointer list-none items-center justify-between font-semibold [&::-webkit-details-marker]:hidden">
        Status do Sistema
        <ChevronDown aria-hidden className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <dl className="pt-0.5">
        <StatusRow nome="Bot" cor={statusTone(bot.status)}>
          {status === null ? 'Desconhecido' : BOT_STATUS_LABELS[status]}
        </StatusRow>
        <StatusRow nome="Socket" cor={online ? 'verde' : 'cinza'}>
          {online ? 'Online' : 'Offline'}
        </StatusRow>
        <StatusRow nome="Conversas ativas">{bot.conversasAtivas.length}</StatusRow>
      </dl>
    </details>
  )
}
