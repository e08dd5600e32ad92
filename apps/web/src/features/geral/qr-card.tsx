import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { parseStatusBot } from '@balcao/contract/status-bot'
import { CircleCheck, LoaderCircle, Maximize2, QrCode } from 'lucide-react'
import { lazy, Suspense, useState, type ComponentProps, type ReactNode } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { ContagemDoQr } from './contagem-do-qr.tsx'

const Desenho = lazy(async () => ({ default: (await import('./qr-svg.tsx')).QrSvg }))

/** The drawing's library comes with the first code; its square is kept free meanwhile. */
function QrSvg(props: ComponentProps<typeof Desenho>) {
  return (
    <Suspense fallback={<div aria-hidden className={`aspect-square bg-white ${props.className ?? ''}`} />}>
      <Desenho {...props} />
    </Suspense>
  )
}

/** Says why there is no code (spec §2): connected, on its way, or not started. */
function Espaco({ icone, children }: { icone: ReactNode; children: ReactNode }) {
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-3 py-8 text-center text-sm text-muted">
      {icone}
      <p className="max-w-[28ch]">{children}</p>
    </div>
  )
}

function SemCodigo({ bot }: { bot: BotStatus }) {
  const status = parseStatusBot(bot.status)
  if (status === 'CONECTADO' || status === 'autenticado') {
    return (
      <Espaco icone={<CircleCheck aria-hidden className="size-10 text-brand" />}>
        {bot.conectadoComo === undefined ? 'O WhatsApp já está conectado.' : `Conectado como ${bot.conectadoComo}`}
      </Espaco>
    )
  }
  if (status === 'INICIALIZANDO' || status === 'AGUARDANDO_QR') {
    return (
      <Espaco icone={<LoaderCircle aria-hidden className="size-10 animate-spin" />}>
        Aguarde enquanto o QR Code é gerado…
      </Espaco>
    )
  }
  return (
    <Espaco icone={<QrCode aria-hidden className="size-10" />}>O QR Code aparecerá quando o bot for iniciado.</Espaco>
  )
}

/** The same code as large as the screen allows, for a phone that reads it from afar. */
function TelaGrande({ texto }: { texto: string }) {
  const [aberta, setAberta] = useState(false)
  return (
    <>
      <Button tamanho="sm" onClick={() => setAberta(true)}>
        <Maximize2 aria-hidden className="size-4" /> Tela grande
      </Button>
      <Dialog aberto={aberta} titulo="Escaneie o código" largura="xl" onFechar={() => setAberta(false)}>
        <QrSvg texto={texto} className="mx-auto size-[min(100%,72dvh)] rounded-xl" />
      </Dialog>
    </>
  )
}

export interface QrCardProps {
  readonly bot: BotStatus
  /** The code's time is over and no other came. */
  readonly onVenceu: () => void
}

export function QrCard({ bot, onVenceu }: QrCardProps) {
  const codigo = bot.qrCode ?? bot.qr
  return (
    <section aria-labelledby="qr-titulo" className="card flex flex-col gap-4 p-4 sm:p-5">
      <h2 id="qr-titulo" className="text-center text-lg font-bold">
        QR Code
      </h2>
      {codigo === null ? (
        <SemCodigo bot={bot} />
      ) : (
        <>
          <QrSvg texto={codigo} className="mx-auto w-full max-w-64 min-w-52 rounded-xl" />
          <div className="flex flex-wrap items-center justify-center gap-3">
            {bot.qrExpiraEm !== undefined && (
              <ContagemDoQr key={codigo} expiraEm={bot.qrExpiraEm} onVenceu={onVenceu} />
            )}
            <TelaGrande texto={codigo} />
          </div>
        </>
      )}
    </section>
  )
}
