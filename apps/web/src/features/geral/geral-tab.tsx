import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { avisar } from '#shared/avisos.ts'
import { iniciarBot, pararBot } from '#shared/dados/acoes-bot.ts'
import { atualizarBotStatus, useBotStatus } from '#shared/dados/bot-status.ts'
import { useConfig, type ConfigLida } from '#shared/dados/config.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { useEstatisticas } from '#shared/dados/estatisticas.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { useEstadoSocket } from '#shared/socket.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { SairSemSalvar } from '#shared/ui/sair-sem-salvar.tsx'
import { SaveBar } from '#shared/ui/save-bar.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { Informacoes } from './informacoes.tsx'
import { QrCard } from './qr-card.tsx'
import { StatusDoBot } from './status-do-bot.tsx'
import { useFormularioGeral } from './use-formulario-geral.ts'

// Lazy: below the first screen, or only for new accounts.
const Checklist = lazy(async () => ({ default: (await import('./checklist.tsx')).Checklist }))
const ComoConectar = lazy(async () => ({ default: (await import('./como-conectar.tsx')).ComoConectar }))
const ConfiguracaoDoSistema = lazy(async () => ({
  default: (await import('./configuracao-do-sistema.tsx')).ConfiguracaoDoSistema,
}))
const Recolhidos = lazy(async () => ({ default: (await import('./recolhidos.tsx')).Recolhidos }))

function Esqueleto() {
  return (
    <div role="status" aria-label="Carregando as configurações" className="grid gap-4">
      <Skeleton className="h-10 w-72" />
      <div className="grid gap-4 lg:grid-cols-[5fr_4fr]">
        <Skeleton className="h-72 w-full" />
        <Skeleton className="h-72 w-full" />
      </div>
      <Skeleton className="h-48 w-full" />
    </div>
  )
}

/** Mounts the form only after the configuration loaded or failed, so it starts from final values. */
export function GeralTab() {
  const config = useConfig()
  if (config.carregando) return <Esqueleto />
  return <Geral config={config} />
}

function Faixa({ config, botOnline }: { config: ConfigLida; botOnline: boolean }) {
  const carregada = config.origem === 'servidor'
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <h2 className="text-lg font-bold">Configurações Gerais</h2>
      <Chip tom={botOnline ? 'verde' : 'cinza'} ponto>
        {botOnline ? 'Bot online' : 'Bot offline'}
      </Chip>
      <p
        role="status"
        className={`flex flex-wrap items-center gap-2 text-sm max-sm:w-full sm:ml-auto ${carregada ? 'text-muted' : 'font-semibold text-danger-ink'}`}
      >
        {carregada ? (
          <CircleCheck aria-hidden className="size-4 flex-none text-brand" />
        ) : (
          <TriangleAlert aria-hidden className="size-4 flex-none" />
        )}
        <span className="min-w-0 flex-1">
          {carregada
            ? 'Configuração carregada'
            : `Configuração não carregada: ${config.origem === 'copia' ? 'mostrando a cópia deste navegador' : 'mostrando os valores iniciais'}.`}
        </span>
        {!carregada && (
          <Button tamanho="sm" onClick={() => void config.recarregar().catch(() => undefined)}>
            Tentar de novo
          </Button>
        )}
      </p>
    </div>
  )
}

function useLigarDesligar(temClientId: boolean) {
  const cliente = useQueryClient()
  const [ocupado, setOcupado] = useState(false)

  async function executar(fazer: () => Promise<unknown>, sucesso: string, falha: string): Promise<void> {
    setOcupado(true)
    try {
      await fazer()
      avisar.sucesso(sucesso)
    } catch (erro) {
      avisar.erro(`${falha}: ${mensagemDe(erro)}`)
    }
    setOcupado(false)
  }

  return {
    ocupado,
    iniciar: () => {
      if (!temClientId) avisar.erro('Configure o Client ID antes de iniciar o bot')
      else void executar(() => iniciarBot(cliente), 'Bot iniciado! Aguarde a conexão...', 'Erro ao iniciar bot')
    },
    parar: () => void executar(() => pararBot(cliente), 'Bot parado com sucesso!', 'Erro ao parar bot'),
  }
}

function Geral({ config }: { config: ConfigLida }) {
  const cliente = useQueryClient()
  const { bot, conhecido, carregando } = useBotStatus()
  const { data: estatisticas, isPending } = useEstatisticas()
  const online = useEstadoSocket().tipo === 'online'
  const formulario = useFormularioGeral(config)
  const guarda = useUnsavedGuard(formulario.alterado)
  const carregada = config.origem === 'servidor'
  const temClientId = config.config.whatsapp.clientId.trim() !== ''
  const { ocupado, iniciar, parar } = useLigarDesligar(temClientId)
  useHotkeys({
    '$mod+s': () => {
      if (formulario.alterado && carregada && !formulario.salvando) void formulario.salvar()
    },
  })

  // Renders all parts together, so that nothing shifts. Deferred, so that a slow phone still handles input.
  const completo = useDeferredValue(!carregando && !(carregada && isPending), false)
  const abaixo = useDeferredValue(completo, false)
  if (!completo) return <Esqueleto />
  return (
    <Suspense fallback={<Esqueleto />}>
      <div className="grid gap-4 sm:gap-5">
        <Faixa config={config} botOnline={bot.isRunning} />
        {carregada && (
          <Checklist config={config.config} bot={bot} mensagensNoMes={estatisticas?.mensagemesTotalMes ?? 0} />
        )}
        <div className="grid gap-4 sm:gap-5 lg:grid-cols-[5fr_4fr]">
          <StatusDoBot
            bot={bot}
            conhecido={conhecido}
            temClientId={temClientId}
            online={online}
            ocupado={ocupado}
            onIniciar={iniciar}
            onParar={parar}
          >
            {bot.qrCode === null ? undefined : (
              <Suspense>
                <ComoConectar conector={config.config.whatsapp.conector} />
              </Suspense>
            )}
          </StatusDoBot>
          <QrCard bot={bot} onVenceu={() => void atualizarBotStatus(cliente).catch(() => undefined)} />
        </div>
        {abaixo && (
          <>
            <ConfiguracaoDoSistema
              dados={formulario}
              podeSalvar={carregada}
              botRodando={bot.isRunning || bot.inicializado}
            />
            <Informacoes
              servidorOnline={online}
              conversasAtivas={bot.conversasAtivas.length}
              configCarregada={carregada}
            />
            <Recolhidos alterado={formulario.alterado} />
          </>
        )}
        <SaveBar
          alterado={formulario.alterado && carregada}
          salvando={formulario.salvando}
          onDescartar={formulario.descartar}
          onSalvar={() => void formulario.salvar()}
        />
        <SairSemSalvar guarda={guarda}>As alterações desta aba ainda não foram salvas.</SairSemSalvar>
      </div>
    </Suspense>
  )
}
