import { Hero } from './secoes/hero.tsx'
import { Passos } from './secoes/passos.tsx'
import { Planos } from './secoes/planos.tsx'
import { Recursos } from './secoes/recursos.tsx'
import { Rodape } from './secoes/rodape.tsx'
import { Topo } from './secoes/topo.tsx'

/** Where the prerendering puts the simulator, rendered apart so that the browser can hydrate it alone. */
export const LUGAR_DO_SIMULADOR = 'simulador'

/** The whole page but the simulator: plain markup, no state, never hydrated. */
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
