import { AvisoAndRetention } from './aviso-e-prazo.tsx'
import { CustomerData } from './dados-de-um-cliente.tsx'
import { LgpdRegistro } from './registro.tsx'

export function LgpdContent() {
  return (
    <div className="mt-5 grid gap-8">
      <CustomerData />
      <AvisoAndRetention />
      <LgpdRegistro />
    </div>
  )
}
