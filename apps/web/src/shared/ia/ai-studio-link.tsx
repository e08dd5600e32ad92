export function AiStudioLink() {
  return (
    <a
      href="https://aistudio.google.com/apikey"
      target="_blank"
      rel="noopener noreferrer"
      className="font-semibold text-brand-ink underline"
    >
      Google AI Studio
    </a>
  )
}
