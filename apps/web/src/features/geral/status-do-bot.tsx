import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { parseStatusBot } from '@balcao/contract/status-bot'
import { Play, Square } from 'lucide-react'
import type { ReactNode } from 'react'
import { ROTULO_DO_STATUS } from '#shared/dados/avisos-do-status.ts'
import { tomDoStatus } from '#shared/dados/tom-do-status.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { explicacaoDoStatus, SEM_NOTICIA } from './etapas.ts'
import { LinhaDeEtapas } from './linha-de-etapas.tsx'

function RotuloDoStatus({ valor }: { valor: string }) {
  const status = parseStatusBot(valor)
  return <Chip tom={tomDoStatus(valor)}>{status === null ? 'Desconhecido' : ROTULO_DO_STATUS[status]}</Chip>
}

export interface StatusDoBotProps {
  readonly bot: BotStatus
  /** False until the server has reported a status. */
  readonly conhecido: boolean
  readonly temClientId: boolean
  readonly online: boolean
  readonly ocupado: boolean
  readonly onIniciar: () => void
  readonly onParar: () => void
  readonly children?: ReactNode
}

/** While online, `PARADO` is shown as being verified, all other states as in sync. */
function dicaDeSincronia(status: string, online: boolean): string | null {
  if (!online) return null
  return parseStatusBot(status) === 'PARADO' ? 'Status sendo verificado' : 'Sincronizado'
}

export function StatusDoBot(props: StatusDoBotProps) {
  const { bot, conhecido, temClientId, online, ocupado, onIniciar, onParar, children } = props
  const rodando = bot.isRunning || bot.inicializado
  const { texto, conserto } = conhecido ? explicacaoDoStatus(bot.status, bot.motivo) : SEM_NOTICIA
  const dica = dicaDeSincronia(bot.status, online)
  return (
    <section aria-labelledby="status-do-bot" className="card flex flex-col p-4 sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="status-do-bot" tabIndex={-1} className="text-lg font-bold">
          Status do Bot
        </h2>
        <RotuloDoStatus valor={bot.status} />
      </div>
      <div className="mt-5">
        <LinhaDeEtapas status={bot.status} />
      </div>
      <div className="mt-5 text-sm" role="status">
        <p className="text-muted">{texto}</p>
        {conserto !== undefined && <p className="mt-1.5 font-semibold">{conserto}</p>}
      </div>
      {children !== undefined && <div className="mt-4 grid gap-3">{children}</div>}
      <div className="mt-5 flex flex-wrap items-center gap-3">
        {rodando ? (
          <Button variante="danger" ocupado={ocupado} onClick={onParar}>
            {!ocupado && <Square aria-hidden className="size-4" />} Parar bot
          </Button>
        ) : (
          <Button
            variante="primary"
            ocupado={ocupado}
            disabled={!temClientId}
            aria-describedby={temClientId ? undefined : 'por-que-nao-inicia'}
            onClick={onIniciar}
          >
            {!ocupado && <Play aria-hidden className="size-4" />} Iniciar bot
          </Button>
        )}
        {!rodando && !temClientId && (
          <p id="por-que-nao-inicia" className="text-sm text-muted">
            Informe o Client ID e salve para poder iniciar.
          </p>
        )}
        {dica !== null && <p className="ml-auto text-xs text-muted">{dica}</p>}
      </div>
    </section>
  )
}
