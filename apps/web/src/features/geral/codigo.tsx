import { Maximize2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { ContagemDoQr } from './contagem-do-qr.tsx'
import { QrSvg } from './qr-svg.tsx'

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

export interface CodigoProps {
  readonly texto: string
  /** Absent: the connector reports no expiry. */
  readonly expiraEm?: string | undefined
  readonly onVenceu: () => void
}

export function Codigo({ texto, expiraEm, onVenceu }: CodigoProps) {
  return (
    <>
      <QrSvg texto={texto} className="mx-auto w-full max-w-64 min-w-52 rounded-xl" />
      <div className="flex flex-wrap items-center justify-center gap-3">
        {expiraEm !== undefined && <ContagemDoQr key={texto} expiraEm={expiraEm} onVenceu={onVenceu} />}
        <TelaGrande texto={texto} />
      </div>
    </>
  )
}
