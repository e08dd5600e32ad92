import { Hero } from './sections/hero.tsx'
import { StepsSection } from './sections/steps.tsx'
import { PlanosSection } from './sections/planos.tsx'
import { FeaturesSection } from './sections/features.tsx'
import { LandingFooter } from './sections/footer.tsx'
import { LandingTopBar } from './sections/top-bar.tsx'

/** Id of the element that holds the simulator. It is rendered separately so that the browser hydrates it alone. */
export const DEMO_PHONE_ID = 'simulador'

export function Landing() {
  return (
    <>
      <a href="#conteudo" className="skip btn btn-primary">
        Ir para o conteúdo
      </a>
      <LandingTopBar />
      <main id="conteudo">
        <Hero>
          <div id={DEMO_PHONE_ID} />
        </Hero>
        <FeaturesSection />
        <StepsSection />
        <PlanosSection />
      </main>
      <LandingFooter />
    </>
  )
}
