export function Spinner({ tamanho = 16 }: { tamanho?: number }) {
  return (
    <svg
      width={tamanho}
      height={tamanho}
      viewBox="0 0 24 24"
      fill="none"
      aria-hidden
      className="flex-none animate-spin"
    >
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth="3" opacity=".25" />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}

export function PageSpinner({ texto = 'Carregando…' }: { texto?: string }) {
  return (
    <div role="status" className="grid min-h-dvh place-items-center text-brand">
      <Spinner tamanho={32} />
      <span className="sr-only">{texto}</span>
    </div>
  )
}
