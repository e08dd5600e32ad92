import { AvisoAndRetention } from './aviso-and-retention.tsx'
import { CustomerData } from './customer-data.tsx'
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
