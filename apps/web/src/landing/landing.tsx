import {
  ArrowDown,
  Check,
  Clock3,
  type LucideIcon,
  Minus,
  Power,
  ScrollText,
  ShieldCheck,
  SlidersHorizontal,
  Sparkles,
  Moon,
  Sun,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { ANO_COPYRIGHT } from '@balcao/contract/constants'
import {
  FOOTER_TEXTS,
  type FeatureIcon,
  HERO,
  LANDING_FEATURES,
  LANDING_PICTURES,
  LANDING_PLANOS,
  LANDING_STEPS,
  type LandingPlano,
  PICTURE_SIZE,
  PLANOS_NOTE,
} from './texts.ts'
import { Logo } from '#shared/ui/logo.tsx'

function PlanosSection() {
  return (
    <section id="planos" aria-labelledby="titulo-planos" className="border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-20">
        <h2 id="titulo-planos" className="text-center text-[1.75rem] font-extrabold">
          Preço de balcão, sem letra miúda
        </h2>
        <div className="mx-auto mt-10 grid max-w-3xl gap-5 md:grid-cols-2">
          {LANDING_PLANOS.map((plano) => (
            <LandingPlanoCard key={plano.name} plano={plano} />
          ))}
        </div>
        <p className="mx-auto mt-6 max-w-3xl text-center text-muted">{PLANOS_NOTE}</p>
      </div>
    </section>
  )
}

function LandingPlanoCard({ plano }: { plano: LandingPlano }) {
  return (
    <article className={`card flex flex-col p-6 sm:p-7 ${plano.highlighted ? 'border-brand ring-1 ring-brand' : ''}`}>
      <h3 className="text-lg font-bold">{plano.name}</h3>
      <p className="mt-1 text-muted">{plano.summary}</p>
      <p className="mt-5">
        <span className="text-[2.4rem] leading-none font-extrabold tracking-[-0.03em]">{plano.price}</span>
        <span className={`text-muted ${plano.period.startsWith('/') ? '' : 'ml-2'}`}>{plano.period}</span>
      </p>
      <ul className="mt-6 mb-7 grid gap-2.5">
        {plano.items.map(({ texto, incluso }) => (
          <li key={texto} data-incluso={incluso} className={`flex items-start gap-2.5 ${incluso ? '' : 'text-muted'}`}>
            {incluso ? (
              <Check size={19} aria-hidden className="mt-0.5 flex-none text-brand" />
            ) : (
              <Minus size={19} aria-hidden className="mt-0.5 flex-none" />
            )}
            {texto}
          </li>
        ))}
      </ul>
      <a
        href={`/register?plano=${plano.id}`}
        className={`btn mt-auto ${plano.highlighted ? 'btn-primary' : 'btn-outline'}`}
      >
        Criar conta<span className="sr-only"> no plano {plano.name}</span>
      </a>
    </article>
  )
}

function Stroke() {
  return (
    <svg viewBox="0 0 300 12" preserveAspectRatio="none" aria-hidden className="absolute -bottom-1.5 left-0 h-3 w-full">
      <path d="M3 9C70 3 190 2 297 6" fill="none" stroke="var(--ipe)" strokeWidth="5" strokeLinecap="round" />
    </svg>
  )
}

function Hero({ children }: { children: ReactNode }) {
  return (
    <section className="overflow-hidden">
      <div className="mx-auto grid max-w-6xl items-center gap-x-12 gap-y-14 px-4 py-12 sm:px-6 lg:grid-cols-[1fr_24.5rem] lg:py-20">
        <div>
          <p className="chip [--h:163]">
            <span className="size-1.5 rounded-full bg-brand" aria-hidden />
            {HERO.selo}
          </p>
          <h1 className="mt-5 text-[clamp(2.3rem,7.4vw,3.9rem)] leading-[1.06] font-extrabold tracking-[-0.035em]">
            {HERO.titulo}{' '}
            <span className="relative inline-block">
              <Stroke />
              <span className="relative">{HERO.destaque}</span>
            </span>
          </h1>
          <p className="mt-6 max-w-[34rem] text-lg text-muted">{HERO.promessa}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <a href="/register" className="btn btn-primary btn-lg">
              Criar conta
            </a>
            <a href="#recursos" className="btn btn-outline btn-lg">
              Ver recursos
              <ArrowDown size={18} aria-hidden />
            </a>
          </div>
          <p className="mt-4 text-[0.85rem] text-muted">{HERO.nota}</p>
        </div>
        <figure className="vitrine">
          <div className="toldo" aria-hidden />
          <div className="px-6 max-[399px]:px-2.5">{children}</div>
          <div className="tampo" aria-hidden />
          <figcaption className="mt-4 text-center text-[0.85rem] text-muted">{HERO.legenda}</figcaption>
        </figure>
      </div>
    </section>
  )
}

const ICONS: Readonly<Record<FeatureIcon, LucideIcon>> = {
  ligar: Power,
  ia: Sparkles,
  ajustes: SlidersHorizontal,
  logs: ScrollText,
  seguranca: ShieldCheck,
  relogio: Clock3,
}

function FeaturesSection() {
  return (
    <section id="recursos" aria-labelledby="titulo-recursos" className="border-y border-line bg-surface">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-20">
        <h2 id="titulo-recursos" className="max-w-xl text-[1.75rem] font-extrabold">
          Do primeiro “oi” ao “volte sempre”
        </h2>
        <p className="mt-3 max-w-xl text-muted">Tudo o que o seu atendimento precisa, num painel só e em português.</p>
        <ul className="mt-10 grid gap-x-10 gap-y-9 sm:grid-cols-2 lg:grid-cols-3">
          {LANDING_FEATURES.map(({ icone, titulo, texto }) => {
            const Icon = ICONS[icone]
            return (
              <li key={icone} className="flex gap-4 sm:block">
                <span className="grid size-11 flex-none place-items-center rounded-xl bg-brand-soft text-brand-ink">
                  <Icon size={21} aria-hidden />
                </span>
                <div className="sm:mt-4">
                  <h3 className="text-[1.05rem] font-bold">{titulo}</h3>
                  <p className="mt-1.5 text-muted">{texto}</p>
                </div>
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
}

/** Real screens of the panel. Their size is known, so that nothing shifts while they load. */
function PicturesSection() {
  return (
    <section aria-labelledby="titulo-painel">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-20">
        <h2 id="titulo-painel" className="text-[1.75rem] font-extrabold">
          O painel por dentro
        </h2>
        <ul className="mt-10 grid gap-y-14">
          {LANDING_PICTURES.map(({ file, titulo, texto, alt }) => (
            <li key={file} className="grid items-center gap-x-12 gap-y-9 lg:grid-cols-[1fr_24.5rem]">
              <img
                {...PICTURE_SIZE}
                src={`/painel/${file}.webp`}
                alt={alt}
                loading="lazy"
                decoding="async"
                className="card w-full"
              />
              <div>
                <h3 className="text-lg font-bold">{titulo}</h3>
                <p className="mt-1.5 text-muted">{texto}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

function StepsSection() {
  return (
    <section aria-labelledby="titulo-passos">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-20">
        <h2 id="titulo-passos" className="text-[1.75rem] font-extrabold">
          Abra o balcão em três passos
        </h2>
        <ol className="mt-10 grid gap-8 md:grid-cols-3 md:gap-10">
          {LANDING_STEPS.map(({ titulo, texto }, index) => (
            <li key={titulo} className="passo relative flex gap-4 md:block">
              <span
                aria-hidden
                className="grid size-11 flex-none place-items-center rounded-full bg-ipe text-lg font-extrabold text-[oklch(0.23_0.022_168)]"
              >
                {index + 1}
              </span>
              <div className="md:mt-4">
                <h3 className="text-[1.05rem] font-bold">{titulo}</h3>
                <p className="mt-1.5 text-muted">{texto}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

const LINK = 'inline-block py-1 underline-offset-4 hover:text-ink hover:underline'

function LandingFooter() {
  return (
    <footer className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-2 px-4 py-8 text-[0.85rem] text-muted sm:px-6">
      <p>© {ANO_COPYRIGHT} Balcão</p>
      <a href="/terms" className={LINK}>
        Termos
      </a>
      <a href="/privacy" className={LINK}>
        Privacidade
      </a>
      <p className="md:ml-auto">{FOOTER_TEXTS.vinculo}</p>
    </footer>
  )
}

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
        <PicturesSection />
        <StepsSection />
        <PlanosSection />
      </main>
      <LandingFooter />
    </>
  )
}

const TOP_LINK = 'rounded-lg px-2 py-2 text-[0.9rem] font-semibold hover:bg-sunken sm:px-3'

function LandingTopBar() {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-bg">
      <nav aria-label="Principal" className="mx-auto flex h-16 max-w-6xl items-center gap-1 px-3 sm:px-6">
        <a href="/" aria-label="Balcão, início" className="mr-auto flex items-center rounded-lg">
          <Logo />
        </a>
        <a href="#recursos" className={`${TOP_LINK} hidden md:block`}>
          Recursos
        </a>
        <a href="#planos" className={`${TOP_LINK} hidden md:block`}>
          Planos
        </a>
        <button type="button" data-tema className="btn btn-ghost btn-icon" aria-label="Alternar tema claro e escuro">
          <Moon size={18} aria-hidden className="dark:hidden" />
          <Sun size={18} aria-hidden className="hidden dark:block" />
        </button>
        <a href="/login" className={TOP_LINK}>
          Entrar
        </a>
        <a href="/register" className="btn btn-primary max-sm:px-3">
          Criar conta
        </a>
      </nav>
    </header>
  )
}
