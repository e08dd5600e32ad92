import { ChaveEModelo } from './chave-e-modelo.tsx'
import { Comportamento } from './comportamento.tsx'
import { Gatilhos } from './gatilhos.tsx'
import { Textos } from './textos-da-ia.tsx'
import type { FormularioDaIa } from './use-formulario-ia.ts'

/** Everything that can be set, in the order it is decided. A chunk of its own: the switch and Salvar come first. */
export function Ajustes({ formulario }: { formulario: FormularioDaIa }) {
  const { ia, mudar } = formulario
  return (
    <>
      <ChaveEModelo formulario={formulario} />
      <Textos ia={ia} mudar={mudar} />
      <Comportamento ia={ia} mudar={mudar} />
      <Gatilhos gatilhos={ia.gatilhos} mudar={mudar} />
    </>
  )
}
