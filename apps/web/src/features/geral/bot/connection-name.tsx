/** The Client ID. Renders nothing without one. */
export function ConnectionName({ name, className }: { name: string; className: string }) {
  return name === '' ? null : <p className={`text-sm break-words text-muted ${className}`}>Conexão: {name}</p>
}
