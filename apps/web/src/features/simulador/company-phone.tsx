import type { BotStatus, StatusBot } from '@balcao/contract/entities/bot-status'
import { desconectarSimuladorRoute, escanearRoute, falhasSimuladorRoute } from '@balcao/contract/routes/simulador'
import { Link } from '@tanstack/react-router'
import { ChevronDown, ScanQrCode, Unplug } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { BOT_STATUS_LABELS } from '#shared/data/status-labels.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip, type ChipTone } from '#shared/ui/chip.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { Field } from '#shared/ui/field.tsx'
import type { SimulatedLine, SimulatedSession } from './simulated-line.ts'

interface CompanyPhoneProps {
  readonly line: SimulatedLine
  readonly session: SimulatedSession
}

export function CompanyPhone({ line, session }: CompanyPhoneProps) {
  const { bot, loading } = session
  const wide = useMediaQuery('(min-width: 64rem)')
  const connected = bot.status === 'CONECTADO'
  const title = (
    <>
      <h2 id="celular" className="mr-auto text-base font-bold lg:text-lg">
        Celular da empresa
      </h2>
      <span role="status">
        {loading ? (
          <Skeleton className="h-6 w-24" />
        ) : (
          <Chip tone={botStatusTone(bot.status)} dot>
            {BOT_STATUS_LABELS[bot.status]}
          </Chip>
        )}
      </span>
    </>
  )
  return (
    <section aria-labelledby="celular" className="card p-3 sm:p-5">
      {wide ? (
        <div className="flex items-center gap-2">{title}</div>
      ) : (
        <details className="group">
          <summary className="flex min-h-8 items-center gap-2">
            {title}
            <ChevronDown size={18} aria-hidden className="text-muted group-open:rotate-180" />
          </summary>
          <ConnectedActions {...{ line, session }} conectado={connected} />
        </details>
      )}
      {!connected && <ScanQr {...{ line, session }} />}
      {wide && <ConnectedActions {...{ line, session }} conectado={connected} />}
    </section>
  )
}

function botStatusTone(status: StatusBot): ChipTone {
  if (status === 'CONECTADO') return 'verde'
  if (status === 'ERRO' || status === 'erro_auth') return 'vermelho'
  return status === 'PARADO' ? 'cinza' : 'amarelo'
}

function useBotAction({ refresh }: SimulatedSession) {
  const [busy, setBusy] = useState(false)
  const run = async (action: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    try {
      await action()
    } catch (error) {
      notify.erro(errorMessage(error))
    }
    // The action's error was shown. The connection chip shows a failed refetch.
    await refresh()
    setBusy(false)
  }
  return { ocupado: busy, fazer: run }
}

function statusText({ status, qrCode }: BotStatus): string {
  if (qrCode !== null) return 'O painel mostra um QR Code. Escaneie para conectar o bot.'
  return status === 'INICIALIZANDO' || status === 'autenticado'
    ? 'O bot está iniciando. Aguarde o QR Code.'
    : 'Quando o bot iniciar e mostrar um QR Code, escaneie por aqui.'
}

function ScanQr({ line, session }: CompanyPhoneProps) {
  const { bot } = session
  const { ocupado, fazer } = useBotAction(session)
  return (
    <div className="mt-2">
      <p className="text-sm text-muted">{statusText(bot)}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          variant="primary"
          className="min-h-11 max-sm:w-full"
          busy={ocupado}
          disabled={bot.qrCode === null}
          onClick={() => void fazer(() => call(escanearRoute, { body: line }))}
        >
          {!ocupado && <ScanQrCode size={18} aria-hidden />} Escanear QR Code
        </Button>
        {bot.qrCode === null && (
          <Link to="/dashboard" search={{ aba: 'geral' }} className="btn btn-outline min-h-11 max-sm:w-full">
            Iniciar o bot na aba Geral
          </Link>
        )}
      </div>
    </div>
  )
}

function ConnectedActions({ line, session, conectado }: CompanyPhoneProps & { readonly conectado: boolean }) {
  const { ocupado, fazer } = useBotAction(session)
  const [asking, setAsking] = useState(false)
  return (
    <div className="grid gap-4 pt-3">
      {conectado && (
        <Button variant="danger" className="min-h-11" busy={ocupado} onClick={() => setAsking(true)}>
          <Unplug size={18} aria-hidden /> Desconectar celular
        </Button>
      )}
      <SendFailures line={line} />
      <ConfirmDialog
        open={asking}
        title="Desconectar o celular?"
        confirmLabel="Desconectar"
        onConfirm={() => fazer(() => call(desconectarSimuladorRoute, { body: line }))}
        onClose={() => setAsking(false)}
      >
        O bot para de responder, como se você saísse da sessão no celular. Para voltar, será preciso escanear outro QR
        Code.
      </ConfirmDialog>
    </div>
  )
}

const FAILURES_MAX = 1000

function SendFailures({ line }: Pick<CompanyPhoneProps, 'line'>) {
  const [written, setWritten] = useState('')
  const [busy, setBusy] = useState(false)
  const schedule = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    try {
      const requests = Math.min(FAILURES_MAX, Math.max(0, Math.trunc(Number(written)) || 0))
      const { envios } = await call(falhasSimuladorRoute, { body: { ...line, envios: requests } })
      setWritten(String(envios))
      notify.info(
        envios === 0
          ? 'Nenhum envio vai falhar.'
          : `${envios === 1 ? 'O próximo envio vai falhar' : `Os próximos ${envios} envios vão falhar`}, para você ver o reenvio.`,
      )
    } catch (error) {
      notify.erro(errorMessage(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void schedule(event)}>
      <Field label="Falhas de envio" hint="Quantos dos próximos envios do bot falham. Serve para treinar.">
        {(link) => (
          <span className="flex gap-2">
            <input
              {...link}
              type="number"
              min={0}
              max={FAILURES_MAX}
              inputMode="numeric"
              placeholder="0"
              className="field min-w-0 flex-1"
              value={written}
              onChange={({ currentTarget }) => setWritten(currentTarget.value)}
            />
            <Button type="submit" busy={busy}>
              Programar
            </Button>
          </span>
        )}
      </Field>
    </form>
  )
}
