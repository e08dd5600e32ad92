import { Hero } from './secoes/hero.tsx'
import { Passos } from './secoes/passos.tsx'
import { Planos } from './secoes/planos.tsx'
import { Recursos } from './secoes/recursos.tsx'
import { Rodape } from './secoes/rodape.tsx'
import { Topo } from './secoes/topo.tsx'

/** Id of the element that holds the simulator. It is rendered separately so that the browser hydrates it alone. */
export const LUGAR_DO_SIMULADOR = 'simulador'

export function Landing() {
  return (
    <>
      <a href="#conteudo" className="skip btn btn-primary">
        Ir para o conteúdo
      </a>
      <Topo />
      <main id="conteudo">
        <Hero>
          <div id={LUGAR_DO_SIMULADOR} />
        </Hero>
        <Recursos />
        <Passos />
        <Planos />
      </main>
      <Rodape />
    </>
  )
}
