import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { parseStatusBot } from '@balcao/contract/status-bot'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { ROTULO_DO_STATUS } from '#shared/dados/avisos-do-status.ts'
import { type TomDoStatus, tomDoStatus } from '#shared/dados/tom-do-status.ts'

const COR: Readonly<Record<TomDoStatus, string>> = {
  verde: 'bg-brand',
  amarelo: 'bg-ipe',
  vermelho: 'bg-danger',
  cinza: 'bg-line-strong',
}

function Linha({ nome, cor, children }: { nome: string; cor?: TomDoStatus; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-3 py-0.5">
      <dt className="text-muted">{nome}</dt>
      <dd className="flex min-w-0 items-center gap-2 font-semibold">
        {cor !== undefined && <span aria-hidden className={`size-2 flex-none rounded-full ${COR[cor]}`} />}
        <span className="truncate">{children}</span>
      </dd>
    </div>
  )
}

export function StatusDoSistema({ bot, online }: { bot: BotStatus; online: boolean }) {
  const status = parseStatusBot(bot.status)
  return (
    <details open className="group px-2 text-sm">
      <summary className="flex min-h-8 cursor-pointer list-none items-center justify-between font-semibold [&::-webkit-details-marker]:hidden">
        Status do Sistema
        <ChevronDown aria-hidden className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <dl className="pt-0.5">
        <Linha nome="Bot" cor={tomDoStatus(bot.status)}>
          {status === null ? 'Desconhecido' : ROTULO_DO_STATUS[status]}
        </Linha>
        <Linha nome="Socket" cor={online ? 'verde' : 'cinza'}>
          {online ? 'Online' : 'Offline'}
        </Linha>
        <Linha nome="Conversas ativas">{bot.conversasAtivas.length}</Linha>
      </dl>
    </details>
  )
}
