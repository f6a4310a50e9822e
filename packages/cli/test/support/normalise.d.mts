export declare const normalised: (text: string) => string
