import { desconectarSimuladorRoute, escanearRoute, falhasSimuladorRoute } from '@balcao/contract/routes/simulador'
import { Link } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { ScanQrCode, Unplug } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { ROTULO_DO_STATUS } from '#shared/dados/avisos-do-status.ts'
import { atualizarBotStatus, useBotStatus } from '#shared/dados/bot-status.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip, type Tom } from '#shared/ui/chip.tsx'
import { Confirmar } from '#shared/ui/confirmar.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

/** The business's phone: it scans the code that is shown, drops the link, and can be made to fail. */
export function CelularDaEmpresa() {
  const cache = useQueryClient()
  const { bot, carregando } = useBotStatus()
  const [ocupado, setOcupado] = useState(false)
  const [perguntando, setPerguntando] = useState(false)
  const conectado = bot.status === 'CONECTADO'
  const temCodigo = bot.qrCode !== null

  const fazer = async (acao: () => Promise<unknown>, sucesso: string): Promise<void> => {
    setOcupado(true)
    try {
      await acao()
      avisar.sucesso(sucesso)
    } catch (erro) {
      avisar.erro(mensagemDe(erro))
    } finally {
      setOcupado(false)
      await atualizarBotStatus(cache).catch(() => undefined)
    }
  }

  return (
    <section aria-labelledby="celular" className="card p-4 sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="celular" className="text-lg font-bold">
          Celular da empresa
        </h2>
        {carregando ? (
          <Skeleton className="h-6 w-24" />
        ) : (
          <Chip tom={tomDe(bot.status)} ponto>
            {ROTULO_DO_STATUS[bot.status]}
          </Chip>
        )}
      </div>
      <p className="mt-2 text-sm text-muted">
        {conectado
          ? 'O celular está conectado: escreva como um cliente e o bot responde.'
          : temCodigo
            ? 'Há um QR Code na tela do painel. Escaneie para conectar o bot.'
            : 'Inicie o bot na aba Geral: quando o QR Code aparecer, escaneie por aqui.'}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        {conectado ? (
          <Button variante="danger" ocupado={ocupado} onClick={() => setPerguntando(true)}>
            <Unplug size={16} aria-hidden /> Desconectar celular
          </Button>
        ) : (
          <Button
            variante="primary"
            ocupado={ocupado}
            disabled={!temCodigo && !ocupado}
            onClick={() => void fazer(() => call(escanearRoute, {}), 'QR Code escaneado!')}
          >
            {!ocupado && <ScanQrCode size={16} aria-hidden />} Escanear QR Code
          </Button>
        )}
        <Link to="/dashboard" search={{ aba: 'geral' }} className="btn btn-ghost">
          Abrir a aba Geral
        </Link>
      </div>
      <Falhas />
      <Confirmar
        aberto={perguntando}
        titulo="Desconectar o celular?"
        confirmar="Desconectar"
        onConfirmar={() => fazer(() => call(desconectarSimuladorRoute, {}), 'Celular desconectado.')}
        onFechar={() => setPerguntando(false)}
      >
        O bot para de responder, como se você saísse da sessão no celular. Para voltar, será preciso escanear outro QR
        Code.
      </Confirmar>
    </section>
  )
}

function tomDe(status: string): Tom {
  if (status === 'CONECTADO') return 'verde'
  if (status === 'ERRO' || status === 'erro_auth') return 'vermelho'
  return status === 'PARADO' ? 'cinza' : 'amarelo'
}

function Falhas() {
  const [envios, setEnvios] = useState('3')
  const programar = async (): Promise<void> => {
    try {
      const { envios: quantos } = await call(falhasSimuladorRoute, {
        body: { envios: Math.max(0, Math.round(Number(envios)) || 0) },
      })
      avisar.info(
        quantos === 0 ? 'Nenhum envio vai falhar.' : `Os próximos ${quantos} envios vão falhar e ser tentados de novo.`,
      )
    } catch (erro) {
      avisar.erro(mensagemDe(erro))
    }
  }
  return (
    <details className="mt-4">
      <summary className="w-fit py-1 text-sm font-semibold text-brand-ink">Simular falhas de envio</summary>
      <div className="mt-2 flex items-end gap-2">
        <TextField
          rotulo="Próximos envios que falham"
          type="number"
          min={0}
          max={1000}
          inputMode="numeric"
          value={envios}
          onChange={({ currentTarget }) => setEnvios(currentTarget.value)}
        />
        <Button onClick={() => void programar()}>Programar</Button>
      </div>
    </details>
  )
}
