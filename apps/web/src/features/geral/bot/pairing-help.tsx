import { CONNECTORS, type ConectorTipo } from '@balcao/contract/connectors'
import { Link } from '@tanstack/react-router'
import { Smartphone } from 'lucide-react'
import { PairByNumber } from './pair-by-number.tsx'

export function PairingHelp({ conector }: { conector: ConectorTipo }) {
  if (CONNECTORS[conector].pairing === 'simulated') {
    return (
      <p className="text-sm text-muted">
        Este bot usa o simulador: nenhum celular é preciso.{' '}
        <Link to="/simulador" target="_blank" className="font-semibold text-brand-ink underline">
          Abrir simulador
        </Link>
      </p>
    )
  }
  return (
    <>
      <p className="flex gap-2 rounded-[10px] bg-warn-soft p-3 text-sm text-warn-ink md:hidden">
        <Smartphone aria-hidden className="mt-0.5 size-4 flex-none" />
        Neste mesmo celular, use o código em vez do QR Code.
      </p>
      <ol className="list-decimal space-y-0.5 pl-5 text-sm text-muted">
        <li>Abra o WhatsApp no celular da empresa</li>
        <li>
          Toque em <b className="font-semibold text-ink">Aparelhos conectados</b> →{' '}
          <b className="font-semibold text-ink">Conectar um aparelho</b>
        </li>
        <li>Aponte a câmera para o QR Code</li>
      </ol>
      <PairByNumber />
    </>
  )
}
