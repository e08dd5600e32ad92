import type { ReactNode } from 'react'

function Balao({ nosso = false, children }: { nosso?: boolean; children: ReactNode }) {
  return (
    <p
      className={`w-fit max-w-[85%] rounded-2xl px-3.5 py-2 text-sm leading-relaxed whitespace-pre-line shadow-card ${
        nosso ? 'ml-auto rounded-br-md bg-bubble' : 'rounded-bl-md bg-surface'
      }`}
    >
      {children}
    </p>
  )
}

/** The shop seen from the street: an awning, a conversation that ends well, the counter. A drawing, so screen readers skip it. */
export function Vitrine() {
  return (
    <div aria-hidden className="sticky top-0 hidden h-dvh flex-col overflow-hidden bg-brand-soft lg:flex">
      <div className="marquise h-16 flex-none" />
      <div className="mx-auto flex w-full max-w-md flex-1 flex-col justify-center gap-8 px-8 py-6">
        <p className="text-[1.7rem] leading-tight font-extrabold tracking-[-0.025em] text-balance text-brand-ink">
          Enquanto você cuida da loja, o Balcão cuida das mensagens.
        </p>
        <div className="wall overflow-hidden rounded-2xl border border-line shadow-pop [@media(max-height:640px)]:hidden">
          <div className="flex items-center gap-3 border-b border-line bg-surface px-4 py-3">
            <span className="grid size-9 place-items-center rounded-full bg-brand font-bold text-on-brand">P</span>
            <span className="leading-tight">
              <b className="block">Padaria Aurora</b>
              <span className="text-sm text-muted">responde na hora</span>
            </span>
          </div>
          <div className="flex flex-col gap-2.5 p-4">
            <Balao>Oi! Vocês entregam hoje?</Balao>
            <Balao nosso>
              {'Olá, Marina! 👋 Entregamos até as 18h.\n\n'}
              <b>1</b> Ver os produtos{'\n'}
              <b>2</b> Falar com a gente
            </Balao>
            <Balao>2</Balao>
            <span className="chip mx-auto mt-1 [--h:88]">Marina aguarda no setor Vendas</span>
          </div>
        </div>
      </div>
      <div className="flex-none border-t-4 border-ipe bg-brand-ink/85 py-4" />
    </div>
  )
}
