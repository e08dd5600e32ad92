import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { parseStatusBot } from '@balcao/contract/bot-status'
import { CircleCheck, LoaderCircle, QrCode } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'

const ConnectSimulador = lazy(async () => ({ default: (await import('./connect-simulador.tsx')).ConnectSimulador }))

const QrCodeView = lazy(async () => ({ default: (await import('#shared/conexao/qr-code.tsx')).QrCodeView }))

export function ConnectionName({ name, className }: { name: string; className: string }) {
  return name === '' ? null : <p className={`text-sm break-words text-muted ${className}`}>Conexão: {name}</p>
}

function QrPlaceholder({ icone, children }: { icone: ReactNode; children: ReactNode }) {
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-3 py-8 text-center text-sm text-muted">
      {icone}
      <p className="max-w-[28ch]">{children}</p>
    </div>
  )
}

function NoCode({ bot }: { bot: BotStatus }) {
  const status = parseStatusBot(bot.status)
  if (status === 'CONECTADO' || status === 'autenticado') {
    return (
      <QrPlaceholder icone={<CircleCheck aria-hidden className="size-10 text-brand" />}>
        {bot.modoTeste
          ? 'O simulador está conectado.'
          : bot.conectadoComo === undefined
            ? 'O WhatsApp já está conectado.'
            : `Conectado como ${bot.conectadoComo}`}
      </QrPlaceholder>
    )
  }
  if (status === 'INICIALIZANDO' || status === 'AGUARDANDO_QR') {
    return (
      <QrPlaceholder icone={<LoaderCircle aria-hidden className="size-10 animate-spin" />}>
        Aguarde enquanto o QR Code é gerado…
      </QrPlaceholder>
    )
  }
  return (
    <QrPlaceholder icone={<QrCode aria-hidden className="size-10" />}>
      O QR Code aparecerá quando o bot for iniciado.
    </QrPlaceholder>
  )
}

export interface QrCardProps {
  readonly bot: BotStatus
  readonly connection: string
  readonly onExpired: () => void
}

export function QrCard({ bot, connection, onExpired }: QrCardProps) {
  const code = bot.qrCode ?? bot.qr
  return (
    <section aria-labelledby="qr-titulo" className="card flex flex-col gap-4 p-4 sm:p-5">
      <h2 id="qr-titulo" className="text-center text-lg font-bold">
        QR Code
      </h2>
      <ConnectionName name={connection} className="-mt-3 text-center" />
      {code === null ? (
        <NoCode bot={bot} />
      ) : bot.modoTeste ? (
        <Suspense>
          <ConnectSimulador />
        </Suspense>
      ) : (
        <Suspense
          fallback={<div aria-hidden className="mx-auto aspect-square w-full max-w-64 min-w-52 rounded-xl bg-white" />}
        >
          <QrCodeView text={code} expiraEm={bot.qrExpiraEm} onExpired={onExpired} />
        </Suspense>
      )}
    </section>
  )
}
