import { Maximize2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { QrCountdown } from './qr-countdown.tsx'
import { QrSvg } from './qr-svg.tsx'

function FullScreenQr({ texto }: { texto: string }) {
  const [aberta, setAberta] = useState(false)
  return (
    <>
      <Button size="sm" onClick={() => setAberta(true)}>
        <Maximize2 aria-hidden className="size-4" /> Tela grande
      </Button>
      <Dialog open={aberta} title="Escaneie o código" width="xl" onClose={() => setAberta(false)}>
        <QrSvg texto={texto} className="mx-auto size-[min(100%,72dvh)] rounded-xl" />
      </Dialog>
    </>
  )
}

export interface QrCodeProps {
  readonly text: string
  /** Absent: the connector reports no expiry. */
  readonly expiraEm?: string | undefined
  readonly onExpired: () => void
}

export function QrCodeView({ text, expiraEm, onExpired }: QrCodeProps) {
  return (
    <>
      <QrSvg texto={text} className="mx-auto w-full max-w-64 min-w-52 rounded-xl" />
      <div className="flex flex-wrap items-center justify-center gap-3">
        {expiraEm !== undefined && <QrCountdown key={text} expiraEm={expiraEm} onExpired={onExpired} />}
        <FullScreenQr texto={text} />
      </div>
    </>
  )
}
