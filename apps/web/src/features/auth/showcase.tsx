import type { ReactNode } from 'react'

function ShowcaseBubble({ ours = false, children }: { ours?: boolean; children: ReactNode }) {
  return (
    <p
      className={`w-fit max-w-[85%] rounded-2xl px-3.5 py-2 text-sm leading-relaxed whitespace-pre-line shadow-card ${
        ours ? 'ml-auto rounded-br-md bg-bubble' : 'rounded-bl-md bg-surface'
      }`}
    >
      {children}
    </p>
  )
}

export function Showcase() {
  return (
    <div className="rise mx-auto flex w-full max-w-md flex-1 flex-col justify-center gap-8 px-8 py-6">
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
          <ShowcaseBubble>Oi! Vocês entregam hoje?</ShowcaseBubble>
          <ShowcaseBubble ours>
            {'Olá, Marina! 👋 Entregamos até as 18h.\n\n'}
            <b>1</b> Ver os produtos{'\n'}
            <b>2</b> Falar com a gente
          </ShowcaseBubble>
          <ShowcaseBubble>2</ShowcaseBubble>
          <span className="chip mx-auto mt-1 [--h:88]">Marina aguarda no setor Vendas</span>
        </div>
      </div>
    </div>
  )
}
