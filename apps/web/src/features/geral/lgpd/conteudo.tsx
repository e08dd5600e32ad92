import { AvisoEPrazo } from './aviso-e-prazo.tsx'
import { DadosDeUmCliente } from './dados-de-um-cliente.tsx'
import { Registro } from './registro.tsx'

export function Conteudo() {
  return (
    <div className="mt-5 grid gap-6 divide-y *:not-last:pb-6">
      <DadosDeUmCliente />
      <AvisoEPrazo />
      <Registro />
    </div>
  )
}
