/** What a session has come to. Only the signed webhook counts. */
export type Status =
  | 'verified' | 'failed' | 'expired' | 'under_review' | 'cancelled';

export type WidgetEvent = { sessionId: string } & (
  | { type: 'ready'; status: string }
  | { type: 'step'; screen: string; step: number | null }
  | { type: 'completed'; status: Status; vpToken: string | null }
  | { type: 'cancelled'; status: 'cancelled' }
  | { type: 'error'; code: string }
  /** The person is offered a window of its own instead. */
  | { type: 'blocked' }
  | { type: 'closed' });

export interface WidgetOptions {
  sessionId: string;
  /** Of the answer to the creation; never log it. */
  clientSecret: string;
  /** The service, such as https://verify.example; by default the one that the
   * script came from. */
  baseUrl?: string;
  /** Where the widget goes; without it, a modal dialog. */
  container?: string | Element;
  /** A language tag; by default that of the browser. */
  lang?: string;
  /** By default what the page around it is. */
  theme?: 'light' | 'dark';
  onEvent?: (event: WidgetEvent) => void;
}

/** For what loads the script by itself, and so has to know from where. */
export interface Options extends WidgetOptions {
  baseUrl: string;
}

export interface Handle {
  readonly sessionId: string;
  close(): void;
}

/** The status is null when the widget was closed before an outcome. */
export interface Outcome {
  status: Status | null;
  vpToken: string | null;
}

export interface Widget {
  open(options: WidgetOptions): Handle;
  /** Rejects with an Error that has the `code` of an `error` event. */
  verify(options: WidgetOptions): Promise<Outcome>;
}

declare global {
  interface Window {
    /** Once a page has the script of a service. */
    IdvWidget?: Widget;
  }
}

/** Rejects with an Error whose `code` is `not_loaded`. */
export function loadWidget(baseUrl: string): Promise<Widget>;
export function open(options: Options): Promise<Handle>;
export function verify(options: Options): Promise<Outcome>;
